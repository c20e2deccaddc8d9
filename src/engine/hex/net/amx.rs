//! The layers in the matrix unit of recent server processors (Intel AMX): products of `bf16`, summed in `f32`. It computes
//! some ten times as much as AVX2 does, which is what makes learning by playing oneself affordable.

use std::arch::asm;
use std::arch::x86_64::*;
use std::sync::OnceLock;

use super::bf16::{self, Bf16};
use super::plane::{MOST_AT_A_TIME, Plane, Shape};
use super::weights::{CHANNELS, Features, Part, TAPS, Weights};

/// A tile has so many rows of 64 bytes.
const ROWS: usize = 16;
/// Inputs that a tile's row holds.
const INPUTS: usize = 32;
/// Outputs that a tile's row holds.
const OUTPUTS: usize = 16;
const TILE: usize = ROWS * INPUTS;
/// Tiles that are multiplied for one sum.
const STEPS: usize = TAPS * CHANNELS / INPUTS;

/// Whether the processor has the unit and the kernel lets this process use it.
pub fn available() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| has_unit() && has_vectors() && may_use_unit())
}

fn has_unit() -> bool {
    let (bf16_bit, tile_bit) = (1 << 22, 1 << 24);
    __cpuid(0).eax >= 7 && __cpuid_count(7, 0).edx & (bf16_bit | tile_bit) == bf16_bit | tile_bit
}

fn has_vectors() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512bf16")
}

/// The kernel wants to be asked, since the unit's registers make every thread's state larger.
fn may_use_unit() -> bool {
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    const XFEATURE_XTILEDATA: libc::c_long = 18;
    // SAFETY: this call reads no memory.
    unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0 }
}

/// The shapes of the eight tile registers.
#[repr(C, align(64))]
struct TileShapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

/// All eight are of full size.
static FULL_TILES: TileShapes = {
    let (mut row_bytes, mut rows) = ([0; 16], [0; 16]);
    let mut tile = 0;
    while tile < 8 {
        row_bytes[tile] = 64;
        rows[tile] = ROWS as u8;
        tile += 1;
    }
    TileShapes { palette: 1, start_row: 0, reserved: [0; 14], row_bytes, rows }
};

/// A cell's features in bfloat16.
pub type Bf16Features = [Bf16; CHANNELS];

/// The layers between input and heads.
pub struct Trunk {
    layers: Vec<(Convolution, Features)>,
    features: Plane<Bf16Features>,
    between: Plane<Bf16Features>,
}

impl Trunk {
    /// The layers of a network.
    ///
    /// # Panics
    /// If the processor does not have the unit.
    pub fn new(weights: &Weights) -> Trunk {
        assert!(available(), "this processor has no AMX");
        let layer = |layer| {
            let bias = weights.part(Part::Bias(layer)).first_chunk().expect("a bias for each feature");
            (Convolution::new(weights.part(Part::Layer(layer))), *bias)
        };
        let layers = (0..weights.layers()).map(layer).collect();
        let (features, between) = (Plane::new([0; CHANNELS]), Plane::new([0; CHANNELS]));
        Trunk { layers, features, between }
    }

    /// Passes the features of a board through all residual blocks.
    pub fn run(&mut self, features: &mut Plane) {
        round_to_bf16(features, &mut self.features);
        self.between.fit(features.shape());
        let unit = Unit::new();
        for block in self.layers.as_chunks::<2>().0 {
            let [(first, first_bias), (second, second_bias)] = block;
            unit.layer(first, first_bias, &self.features, &mut self.between);
            unit.residual_layer(second, second_bias, &self.between, &mut self.features);
        }
        widen_to_f32(&self.features, features);
    }
}

/// Rounds features to bfloat16.
pub fn round_to_bf16(from: &Plane, to: &mut Plane<Bf16Features>) {
    to.fit(from.shape());
    for place in 0..from.shape().places() {
        *to.at_mut(place) = from.at(place).map(bf16::from_f32);
    }
}

/// Writes features as `f32`.
pub fn widen_to_f32(from: &Plane<Bf16Features>, to: &mut Plane) {
    to.fit(from.shape());
    for place in 0..from.shape().places() {
        *to.at_mut(place) = from.at(place).map(bf16::to_f32);
    }
}

/// A convolution's weights as the unit wants them: tiles by block of outputs, tap and block of inputs; each row of a tile has
/// two inputs for each output.
pub struct Convolution {
    rows: Vec<TileRow>,
}

/// A row of a tile. Loading it is slower where it lies across two cache lines, which it would do or not by chance.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct TileRow([Bf16; INPUTS]);

impl Convolution {
    /// The convolution with these weights, given by tap, input and output.
    pub fn new(weights: &[f32]) -> Convolution {
        let pairs = weights.as_chunks::<CHANNELS>().0.as_chunks::<2>().0;
        let row = |pair: &[Features; 2], output: usize| {
            TileRow(std::array::from_fn(|index| bf16::from_f32(pair[index % 2][output + index / 2])))
        };
        let blocks = (0..CHANNELS).step_by(OUTPUTS);
        Convolution {
            rows: blocks.flat_map(|output| pairs.iter().map(move |pair| row(pair, output))).collect(),
        }
    }

    /// The convolution that carries gradients back through the one with these weights: each tap looks the other way, and
    /// inputs and outputs change places.
    pub fn backwards(weights: &[f32]) -> Convolution {
        let mut turned = vec![0.0; weights.len()];
        let size = CHANNELS * CHANNELS;
        for (tap, from) in weights.chunks_exact(size).enumerate() {
            let to = &mut turned[(TAPS - 1 - tap) * size..][..size];
            for input in 0..CHANNELS {
                for output in 0..CHANNELS {
                    to[output * CHANNELS + input] = from[input * CHANNELS + output];
                }
            }
        }
        Convolution::new(&turned)
    }
}

/// The matrix unit, configured for as long as this lives. It belongs to a thread.
pub struct Unit {
    of_this_thread: std::marker::PhantomData<*const ()>,
}

impl Unit {
    /// Configures the unit.
    ///
    /// # Panics
    /// If the processor does not have it.
    pub fn new() -> Unit {
        assert!(available(), "this processor has no AMX");
        // SAFETY: the unit is there. No register that the compiler knows of is touched.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const FULL_TILES, options(nostack)) };
        Unit { of_this_thread: std::marker::PhantomData }
    }

    /// A layer, and what of it is above zero.
    pub fn layer(
        &self,
        layer: &Convolution,
        bias: &Features,
        input: &Plane<Bf16Features>,
        output: &mut Plane<Bf16Features>,
    ) {
        // SAFETY: that there is a unit says that there is all that this needs.
        unsafe {
            apply(layer, input, output, |sums, first, cells| finish::<false>(sums, &bias[first..], cells))
        }
    }

    /// A layer added to what is in its output, and what of that is above zero.
    pub fn residual_layer(
        &self,
        layer: &Convolution,
        bias: &Features,
        input: &Plane<Bf16Features>,
        output: &mut Plane<Bf16Features>,
    ) {
        // SAFETY: as above.
        unsafe {
            apply(layer, input, output, |sums, first, cells| finish::<true>(sums, &bias[first..], cells))
        }
    }

    /// Adds a convolution to what is in its output.
    pub fn add(&self, layer: &Convolution, input: &Plane<Bf16Features>, output: &mut Plane) {
        // SAFETY: as above.
        unsafe { apply(layer, input, output, |sums, _, cells| accumulate(sums, cells)) }
    }

    /// Adds to a layer's gradient what one board says, given what went into the layer and the gradient of what came out.
    pub fn add_gradient(&self, input: &Inputs, output: &Outputs, gradient: &mut [f32]) {
        assert_eq!(gradient.len(), TAPS * CHANNELS * CHANNELS);
        assert_eq!(input.shape, output.shape);
        let pairs = output.shape.places().div_ceil(2 * ROWS) * ROWS;
        for (tap, gradient) in
            output.shape.taps().into_iter().zip(gradient.chunks_exact_mut(CHANNELS * CHANNELS))
        {
            for from in (0..CHANNELS).step_by(2 * ROWS) {
                for to in (0..CHANNELS).step_by(2 * OUTPUTS) {
                    // SAFETY: the unit is configured; inputs have room for every tap of every cell, and both have for whole
                    // tiles; the gradient has a number for each pair of features.
                    unsafe {
                        let cells =
                            input.halves.as_flattened().as_ptr().add(from * LENGTH + FIRST).offset(tap);
                        let gradients = output.pairs.as_flattened().as_ptr().add(to);
                        let gradient = gradient.as_mut_ptr().add(from * CHANNELS + to);
                        multiply_gradient(cells, gradients, pairs, gradient);
                    }
                }
            }
        }
    }
}

impl Default for Unit {
    fn default() -> Unit {
        Unit::new()
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: the unit is there.
        unsafe { asm!("tilerelease", options(nostack, nomem)) };
    }
}

/// The place of the first cell in [`Inputs`].
const FIRST: usize = 32;
/// Places in [`Inputs`] and [`Outputs`]: those of the largest board, and a tile more on either side.
const LENGTH: usize = 832;

/// What went into a layer, feature by feature, as its gradient wants it.
pub struct Inputs {
    shape: Shape,
    halves: Box<[[Bf16; LENGTH]; CHANNELS]>,
}

impl Inputs {
    /// Room for any board.
    pub fn new() -> Inputs {
        Inputs { shape: Shape::new(1), halves: Box::new([[0; LENGTH]; CHANNELS]) }
    }

    /// Takes over the features of a board.
    pub fn set(&mut self, features: &Plane<Bf16Features>) {
        if self.shape != features.shape() {
            self.shape = features.shape();
            self.halves.as_flattened_mut().fill(0);
        }
        for place in 0..self.shape.places() {
            for (row, half) in self.halves.iter_mut().zip(features.at(place)) {
                row[FIRST + place] = *half;
            }
        }
    }
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs::new()
    }
}

/// The gradient of what came out of a layer, two cells side by side, as the layer's gradient wants it.
pub struct Outputs {
    shape: Shape,
    pairs: Box<[[[Bf16; 2]; CHANNELS]; LENGTH / 2]>,
}

impl Outputs {
    /// Room for any board.
    pub fn new() -> Outputs {
        Outputs { shape: Shape::new(1), pairs: Box::new([[[0; 2]; CHANNELS]; LENGTH / 2]) }
    }

    /// Takes over the gradients of a board.
    pub fn set(&mut self, gradients: &Plane<Bf16Features>) {
        if self.shape != gradients.shape() {
            self.shape = gradients.shape();
            self.pairs.as_flattened_mut().fill([0; 2]);
        }
        for (pair, row) in self.pairs[..self.shape.places().div_ceil(2)].iter_mut().enumerate() {
            let (one, other) = (gradients.at(2 * pair), gradients.at(2 * pair + 1));
            for (target, (one, other)) in row.iter_mut().zip(one.iter().zip(other)) {
                *target = [*one, *other];
            }
        }
    }
}

impl Default for Outputs {
    fn default() -> Outputs {
        Outputs::new()
    }
}

/// The sums for 32 cells and 32 outputs.
#[repr(C, align(64))]
struct Sums([[f32; 2 * OUTPUTS]; 2 * ROWS]);

/// Computes 32 cells and 32 outputs at a time, four tiles of sums from two and two, and has `finish` write each to its place,
/// given the first output of it and the first cell.
///
/// # Safety
/// The unit must be configured.
#[inline(always)]
unsafe fn apply<T: Copy>(
    layer: &Convolution,
    input: &Plane<Bf16Features>,
    output: &mut Plane<[T; CHANNELS]>,
    finish: impl Fn(&Sums, usize, *mut T),
) {
    const { assert!(2 * ROWS <= MOST_AT_A_TIME && CHANNELS.is_multiple_of(2 * OUTPUTS)) };
    let shape = output.shape();
    debug_assert_eq!(input.shape(), shape);
    let mut sums = Sums([[0.0; 2 * OUTPUTS]; 2 * ROWS]);
    for place in (0..shape.places()).step_by(2 * ROWS) {
        for first in (0..CHANNELS).step_by(2 * OUTPUTS) {
            // SAFETY: the unit is configured; a plane has room for every tap of every cell and for 32 cells behind the last
            // one; the tiles of two blocks of outputs follow each other.
            unsafe {
                let tiles = layer.rows.as_ptr().cast::<Bf16>().add(first / OUTPUTS * STEPS * TILE);
                multiply(input.first().add(place), tiles, shape, &mut sums);
                finish(&sums, first, output.first_mut().add(place).cast::<T>().add(first));
            }
        }
    }
    output.clear_rim();
}

/// # Safety
/// The unit must be configured; all taps of the cells must be readable, and two blocks of tiles.
#[inline]
unsafe fn multiply(cells: *const Bf16Features, tiles: *const Bf16, shape: Shape, sums: &mut Sums) {
    // SAFETY: the caller's. The compiler uses no tile registers itself, so that they keep their values in between.
    unsafe {
        asm!("tilezero tmm0", "tilezero tmm1", "tilezero tmm2", "tilezero tmm3", options(nostack, nomem));
        let mut tile = tiles;
        for tap in shape.taps() {
            for inputs in (0..CHANNELS).step_by(INPUTS) {
                let near = cells.offset(tap).cast::<Bf16>().add(inputs);
                multiply_step(
                    near,
                    near.add(ROWS * CHANNELS),
                    size_of::<Bf16Features>(),
                    tile,
                    tile.add(STEPS * TILE),
                    ROW_BYTES,
                );
                tile = tile.add(TILE);
            }
        }
        store_sums(sums.0.as_mut_ptr().cast(), size_of::<[f32; 2 * OUTPUTS]>());
    }
}

/// Adds to the gradient of 32 by 32 weights of a tap.
///
/// # Safety
/// The unit must be configured; there must be so many pairs of cells in both, and the gradient must lie in that of the whole tap,
/// with 32 rows and columns to come.
#[inline]
unsafe fn multiply_gradient(cells: *const Bf16, gradients: *const [Bf16; 2], pairs: usize, near: *mut f32) {
    let row = size_of::<Features>();
    // SAFETY: the caller's.
    unsafe {
        let far = near.add(ROWS * CHANNELS);
        asm!(
            "tileloadd tmm0, [{near} + {row}*1]",
            "tileloadd tmm1, [{near} + {row}*1 + 64]",
            "tileloadd tmm2, [{far} + {row}*1]",
            "tileloadd tmm3, [{far} + {row}*1 + 64]",
            near = in(reg) near,
            far = in(reg) far,
            row = in(reg) row,
            options(nostack, readonly)
        );
        for pair in (0..pairs).step_by(ROWS) {
            let (cells, gradients) = (cells.add(2 * pair), gradients.add(pair * CHANNELS));
            multiply_step(
                cells,
                cells.add(ROWS * LENGTH),
                size_of::<[Bf16; LENGTH]>(),
                gradients.cast(),
                gradients.add(OUTPUTS).cast(),
                size_of::<[[Bf16; 2]; CHANNELS]>(),
            );
        }
        store_sums(near, row);
    }
}

/// The bytes of a tile's row.
const ROW_BYTES: usize = 64;

/// Adds the products of two tiles, one below the other, with two tiles side by side, to the four tiles of sums.
///
/// # Safety
/// The unit must be configured, and the tiles readable, whose rows are so many bytes apart.
#[inline(always)]
unsafe fn multiply_step(
    upper: *const Bf16,
    lower: *const Bf16,
    down: usize,
    left: *const Bf16,
    right: *const Bf16,
    below: usize,
) {
    // SAFETY: the caller's.
    unsafe {
        asm!(
            "tileloadd tmm4, [{upper} + {down}*1]",
            "tileloadd tmm6, [{left} + {below}*1]",
            "tileloadd tmm7, [{right} + {below}*1]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tileloadd tmm5, [{lower} + {down}*1]",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            upper = in(reg) upper,
            lower = in(reg) lower,
            down = in(reg) down,
            left = in(reg) left,
            right = in(reg) right,
            below = in(reg) below,
            options(nostack, readonly)
        );
    }
}

/// Writes the four tiles of sums to memory with rows so many bytes apart.
///
/// # Safety
/// The unit must be configured, and the memory writable.
#[inline(always)]
unsafe fn store_sums(target: *mut f32, row: usize) {
    // SAFETY: the caller's.
    unsafe {
        asm!(
            "tilestored [{near} + {row}*1], tmm0",
            "tilestored [{near} + {row}*1 + 64], tmm1",
            "tilestored [{far} + {row}*1], tmm2",
            "tilestored [{far} + {row}*1 + 64], tmm3",
            near = in(reg) target,
            far = in(reg) target.byte_add(ROWS * row),
            row = in(reg) row,
            options(nostack)
        );
    }
}

/// Adds the bias and, of a block's second layer, what was there before; keeps what is above zero.
///
/// # Safety
/// There must be 32 biases, and 32 cells at the target.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
unsafe fn finish<const RESIDUAL: bool>(sums: &Sums, bias: &[f32], target: *mut Bf16) {
    // SAFETY: the caller's.
    unsafe {
        let biases = [_mm512_loadu_ps(bias.as_ptr()), _mm512_loadu_ps(bias.as_ptr().add(OUTPUTS))];
        for (cell, sums) in sums.0.iter().enumerate() {
            for (half, bias) in biases.into_iter().enumerate() {
                let target = target.add(cell * CHANNELS + half * OUTPUTS).cast::<__m256i>();
                let mut sum = _mm512_add_ps(_mm512_loadu_ps(sums.as_ptr().add(half * OUTPUTS)), bias);
                if RESIDUAL {
                    let before = _mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(target.read_unaligned()));
                    sum = _mm512_add_ps(sum, _mm512_castsi512_ps(before));
                }
                let sum = _mm512_cvtneps_pbh(_mm512_max_ps(sum, _mm512_setzero_ps()));
                target.write_unaligned(std::mem::transmute::<__m256bh, __m256i>(sum));
            }
        }
    }
}

/// Adds the sums to what is there.
///
/// # Safety
/// There must be 32 cells at the target.
unsafe fn accumulate(sums: &Sums, target: *mut f32) {
    for (cell, sums) in sums.0.iter().enumerate() {
        for (feature, sum) in sums.iter().enumerate() {
            // SAFETY: the caller's.
            unsafe { *target.add(cell * CHANNELS + feature) += sum };
        }
    }
}
