/** σ(x) = 1 / (1 + e^−x), in (0, 1); 0 or 1 where 64 bits end. */
export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** log(1 + e^x), which overflows nowhere: −softplus(−x) is log σ(x). */
export const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
