/**
 * Shapes that the params of several rules have.
 */

export interface Limit {
  readonly limit: number;
}

// biome-ignore lint/complexity/noBannedTypes: the rule says everything
export type Nothing = {};
