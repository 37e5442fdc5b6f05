/**
 * The code of all keywords that test a value after it was read, in the order in which they test it. Keywords that are not
 * here decide how a value is read: their code is in `src/engine/compile/`.
 */
import { CONTAINS_CODE, UNIQUE_CODE } from './items-code.ts';
import type { ContainerCode, NumberCode, StringCode } from './keyword-code.ts';
import { ARRAY_LENGTH_CODE, OBJECT_LENGTH_CODE, STRING_LENGTH_CODES } from './lengths-code.ts';
import { BOUND_CODE, MULTIPLE_CODE } from './numbers-code.ts';
import { FORMAT_CODE, NUMBER_FORMAT_CODE, PATTERN_CODE } from './texts-code.ts';

export const STRING_CODES: readonly StringCode[] = [...STRING_LENGTH_CODES, PATTERN_CODE, FORMAT_CODE];
export const NUMBER_CODES: readonly NumberCode[] = [BOUND_CODE, NUMBER_FORMAT_CODE, MULTIPLE_CODE];
export const ARRAY_CODES: readonly ContainerCode[] = [ARRAY_LENGTH_CODE, CONTAINS_CODE, UNIQUE_CODE];
export const OBJECT_CODES: readonly ContainerCode[] = [OBJECT_LENGTH_CODE];
