//! The layers in `f32`, written once for vectors of any width and compiled for each kind of processor.

use super::plane::{MOST_AT_A_TIME, Plane};
use super::weights::{CHANNELS, Features, Part, TAPS, Weights};

/// The instructions to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Those that every processor has.
    Plain,
    /// AVX2 and FMA, as nearly all x86-64 processors have them.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// Whether this processor has them.
    pub fn available(self) -> bool {
        match self {
            Instructions::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => is_x86_feature_detected!("avx512f"),
        }
    }

    /// Outputs that are computed at a time.
    fn block(self) -> usize {
        match self {
            Instructions::Plain => 8,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => 16,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => 32,
        }
    }
}

/// The layers between input and heads.
pub struct Trunk {
    instructions: Instructions,
    layers: Vec<Convolution>,
    between: Plane,
}

impl Trunk {
    /// The layers of a network, for a processor that has the instructions.
    ///
    /// # Panics
    /// If it does not have them.
    pub fn new(weights: &Weights, instructions: Instructions) -> Trunk {
        assert!(instructions.available(), "this processor has no {instructions:?}");
        let block = instructions.block();
        let layers = (0..weights.layers()).map(|layer| Convolution::new(weights, layer, block)).collect();
        Trunk { instructions, layers, between: Plane::new([0.0; CHANNELS]) }
    }

    /// Passes the features of a board through all residual blocks.
    pub fn run(&mut self, features: &mut Plane) {
        self.between.fit(features.shape());
        for block in self.layers.chunks_exact(2) {
            block[0].apply(self.instructions, features, &mut self.between, Residual::None);
            block[1].apply(self.instructions, &self.between, features, Residual::Output);
        }
    }
}

/// What a convolution adds its result to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Residual {
    None,
    /// What has been in its output.
    Output,
}

/// A convolution, with the weights in the order in which they are used: by block of outputs, tap, input and output.
struct Convolution {
    weights: Vec<f32>,
    bias: Features,
}

impl Convolution {
    fn new(weights: &Weights, layer: usize, block: usize) -> Convolution {
        let rows = weights.part(Part::Layer(layer)).as_chunks::<CHANNELS>().0;
        let blocks = (0..CHANNELS).step_by(block);
        let ordered = blocks.flat_map(|first| rows.iter().flat_map(move |row| &row[first..first + block]));
        Convolution {
            weights: ordered.copied().collect(),
            bias: *weights.part(Part::Bias(layer)).first_chunk().expect("a bias for each feature"),
        }
    }

    fn apply(&self, with: Instructions, input: &Plane, output: &mut Plane, residual: Residual) {
        match with {
            Instructions::Plain => self.plain(input, output, residual),
            // SAFETY: trunks are only made for instructions that the processor has.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { self.avx2(input, output, residual) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { self.avx512(input, output, residual) },
        }
        output.clear_rim();
    }

    fn plain(&self, input: &Plane, output: &mut Plane, residual: Residual) {
        // SAFETY: arrays need no particular processor.
        unsafe { self.convolve::<[f32; 8], 4, 1>(input, output, residual) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn avx2(&self, input: &Plane, output: &mut Plane, residual: Residual) {
        // SAFETY: the instructions are enabled here.
        unsafe { self.convolve::<std::arch::x86_64::__m256, 6, 2>(input, output, residual) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    fn avx512(&self, input: &Plane, output: &mut Plane, residual: Residual) {
        // SAFETY: the instructions are enabled here.
        unsafe { self.convolve::<std::arch::x86_64::__m512, 14, 2>(input, output, residual) }
    }

    /// Computes the features of `CELLS` cells at a time, `VECTORS` vectors of them, so that all sums stay in registers.
    ///
    /// # Safety
    /// The processor must have the instructions of `V`.
    #[inline(always)]
    unsafe fn convolve<V: Lanes, const CELLS: usize, const VECTORS: usize>(
        &self,
        input: &Plane,
        output: &mut Plane,
        residual: Residual,
    ) {
        const { assert!(CELLS <= MOST_AT_A_TIME && CHANNELS.is_multiple_of(V::WIDTH * VECTORS)) };
        let block = V::WIDTH * VECTORS;
        let shape = output.shape();
        let taps = shape.taps();
        let input = input.first().cast::<f32>();
        let output = output.first_mut().cast::<f32>();
        for (first, weights) in
            (0..CHANNELS).step_by(block).zip(self.weights.chunks_exact(TAPS * CHANNELS * block))
        {
            for place in (0..shape.places()).step_by(CELLS) {
                // SAFETY: a plane has room for every tap of every cell, and for `CELLS` behind the last cell; weights and
                // biases are as long as the loops over them.
                unsafe {
                    let mut sums = [[V::zero(); VECTORS]; CELLS];
                    let mut weights = weights.as_ptr();
                    for tap in taps {
                        let cells = input.offset((place as isize + tap) * CHANNELS as isize);
                        for feature in 0..CHANNELS {
                            let weight: [V; VECTORS] =
                                std::array::from_fn(|vector| V::load(weights.add(vector * V::WIDTH)));
                            weights = weights.add(block);
                            for (cell, sums) in sums.iter_mut().enumerate() {
                                let value = V::splat(cells.add(cell * CHANNELS + feature));
                                for (sum, weight) in sums.iter_mut().zip(weight) {
                                    *sum = sum.add_product(value, weight);
                                }
                            }
                        }
                    }
                    for (cell, sums) in sums.iter().enumerate() {
                        for (vector, &sum) in sums.iter().enumerate() {
                            let feature = first + vector * V::WIDTH;
                            let target = output.add((place + cell) * CHANNELS + feature);
                            let mut sum = sum.add(V::load(self.bias.as_ptr().add(feature)));
                            if residual == Residual::Output {
                                sum = sum.add(V::load(target));
                            }
                            sum.relu().store(target);
                        }
                    }
                }
            }
        }
    }
}

/// A vector of `f32`.
///
/// # Safety
/// For all of it, the processor must have the instructions, and pointers must be good for as many numbers as are read or
/// written.
trait Lanes: Copy {
    const WIDTH: usize;
    unsafe fn zero() -> Self;
    unsafe fn load(from: *const f32) -> Self;
    /// One number, everywhere.
    unsafe fn splat(from: *const f32) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn add_product(self, one: Self, other: Self) -> Self;
    /// The rectified linear unit: itself where it is above zero, and else zero.
    unsafe fn relu(self) -> Self;
    unsafe fn store(self, to: *mut f32);
}

impl<const N: usize> Lanes for [f32; N] {
    const WIDTH: usize = N;

    #[inline(always)]
    unsafe fn zero() -> Self {
        [0.0; N]
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller's.
        unsafe { from.cast::<Self>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn splat(from: *const f32) -> Self {
        // SAFETY: the caller's.
        [unsafe { *from }; N]
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane] + other[lane])
    }

    #[inline(always)]
    unsafe fn add_product(self, one: Self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane] + one[lane] * other[lane])
    }

    #[inline(always)]
    unsafe fn relu(self) -> Self {
        self.map(|number| number.max(0.0))
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller's.
        unsafe { to.cast::<Self>().write_unaligned(self) }
    }
}

/// [`Lanes`] by the intrinsics of x86-64, which differ in their prefix alone.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes {
    ($vector:ident, $zero:ident, $load:ident, $splat:ident, $add:ident, $add_product:ident, $max:ident, $store:ident) => {
        impl Lanes for std::arch::x86_64::$vector {
            const WIDTH: usize = size_of::<Self>() / size_of::<f32>();

            #[inline(always)]
            unsafe fn zero() -> Self {
                // SAFETY: the caller's, as in all that follows.
                unsafe { std::arch::x86_64::$zero() }
            }

            #[inline(always)]
            unsafe fn load(from: *const f32) -> Self {
                unsafe { std::arch::x86_64::$load(from) }
            }

            #[inline(always)]
            unsafe fn splat(from: *const f32) -> Self {
                unsafe { std::arch::x86_64::$splat(*from) }
            }

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                unsafe { std::arch::x86_64::$add(self, other) }
            }

            #[inline(always)]
            unsafe fn add_product(self, one: Self, other: Self) -> Self {
                unsafe { std::arch::x86_64::$add_product(one, other, self) }
            }

            #[inline(always)]
            unsafe fn relu(self) -> Self {
                unsafe { std::arch::x86_64::$max(self, Self::zero()) }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut f32) {
                unsafe { std::arch::x86_64::$store(to, self) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
lanes!(
    __m256,
    _mm256_setzero_ps,
    _mm256_loadu_ps,
    _mm256_set1_ps,
    _mm256_add_ps,
    _mm256_fmadd_ps,
    _mm256_max_ps,
    _mm256_storeu_ps
);
#[cfg(target_arch = "x86_64")]
lanes!(
    __m512,
    _mm512_setzero_ps,
    _mm512_loadu_ps,
    _mm512_set1_ps,
    _mm512_add_ps,
    _mm512_fmadd_ps,
    _mm512_max_ps,
    _mm512_storeu_ps
);
