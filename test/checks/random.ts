/** Numbers from a seed, so that a failure can be repeated. */
export function randomFrom(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2654435761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export const oneOf = <T>(random: (below: number) => number, from: readonly T[]): T => from[random(from.length)]!;
