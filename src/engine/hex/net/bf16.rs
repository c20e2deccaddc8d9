//! Numbers of half the length: the upper half of an `f32`, known as bfloat16.

/// A bfloat16, by its bits.
pub type Bf16 = u16;

/// The nearest bfloat16, ties to even. Weights and features are never infinite.
#[inline]
pub fn from_f32(number: f32) -> Bf16 {
    let bits = number.to_bits();
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as Bf16
}

/// The same number as an `f32`.
#[inline]
pub fn to_f32(half: Bf16) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_nearest() {
        for (number, half) in
            [(1.0, 0x3f80), (-2.0, 0xc000), (1.0 + 1.0 / 256.0, 0x3f80), (1.0 + 3.0 / 256.0, 0x3f82)]
        {
            assert_eq!(from_f32(number), half, "{number}");
        }
        assert_eq!(to_f32(0xc000), -2.0);
    }
}
