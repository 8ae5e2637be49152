/** A differentiable function: its value and gradient at a point. */
export type Objective = (point: readonly number[]) => { readonly value: number; readonly gradient: readonly number[] };

/**
 * The minimum of a smooth function of a few variables: BFGS with a backtracking line search (Nocedal and Wright,
 * Numerical Optimization, algorithm 6.1). Never returns a point worse than `start`.
 */
export function minimize(
  objective: Objective,
  start: readonly number[],
  maxSteps = 100,
): { point: number[]; value: number } {
  const n = start.length;
  let point = [...start];
  let { value, gradient } = objective(point);
  let inverse = identity(n);
  for (let step = 0; step < maxSteps && norm(gradient) > 1e-4 * (1 + Math.abs(value)); step++) {
    let direction = inverse.map((row) => -dot(row, gradient));
    if (dot(direction, gradient) >= 0) {
      inverse = identity(n);
      direction = gradient.map((g) => -g);
    }
    // The first step has no curvature to go by.
    let length = step === 0 ? Math.min(1, 1 / norm(gradient)) : 1;
    let next = along(point, direction, length);
    let at = objective(next);
    while (!(at.value <= value + 1e-4 * length * dot(direction, gradient)) && length > 1e-10) {
      length /= 2;
      next = along(point, direction, length);
      at = objective(next);
    }
    if (!(at.value < value)) break;
    inverse = updateInverse(
      inverse,
      next.map((x, i) => x - point[i]),
      at.gradient.map((g, i) => g - gradient[i]),
    );
    point = next;
    ({ value, gradient } = at);
  }
  return { point, value };
}

/** Equation 6.17: H ← (I − ρ s yᵀ) H (I − ρ y sᵀ) + ρ s sᵀ, skipped where the curvature is not positive. */
function updateInverse(inverse: number[][], s: readonly number[], y: readonly number[]): number[][] {
  const curvature = dot(s, y);
  if (!(curvature > 1e-12)) return inverse;
  const hy = inverse.map((row) => dot(row, y));
  const scale = (1 + dot(y, hy) / curvature) / curvature;
  return inverse.map((row, i) =>
    row.map((h, j) => h + scale * s[i] * s[j] - (hy[i] * s[j] + s[i] * hy[j]) / curvature),
  );
}

function identity(n: number): number[][] {
  return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
}

function along(point: readonly number[], direction: readonly number[], length: number): number[] {
  return point.map((x, i) => x + length * direction[i]);
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function norm(a: readonly number[]): number {
  return Math.sqrt(dot(a, a));
}
