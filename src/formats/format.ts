/**
 * What is known of a format: its pattern, which both engines use, and the function that judges what no pattern can.
 */

/** Judges the values of a format that have its type. */
export interface Judge {
  readonly test: (value: never) => boolean;
}

/** Patterns have the flag `u`. */
export interface Format {
  /** Matches the texts of the format, and no others, between `^` and `$`. */
  readonly pattern?: string;
  /** Matches some texts of the format and no others, between `^` and `$`: for accept, instead of the pattern. */
  readonly accepts?: string;
  /** Matches every text of the format, and also others: for accept, instead of the pattern. */
  readonly needs?: string;
  /** Judges the values. */
  readonly judge?: Judge;
  /** Loads the judge of the values. Without a judge the pattern decides; without a pattern, all values are in the format. */
  readonly load?: () => Promise<Judge>;
  /** The type of its values; "string" if absent. */
  readonly type?: 'number';
}
