/**
 * `paylint explain [RULE|KIND|MEMBER]`: what a rule means and where the schemas state it, what a kind is, or what the
 * schemas say about a member. Without a subject it lists the rules.
 */

import { loadConfig } from '../config/config.ts';
import type { Io } from '../input/io.ts';
import { explanationOf } from '../library/explain.ts';
import { Output } from '../output/output.ts';
import { jsonText } from '../words/escape.ts';
import { explanationText } from './explain-text.ts';
import type { KindsFlags } from './kinds.ts';
import { loadSchemasFor } from './options.ts';
import { warnOfSuspects } from './suspects.ts';
import { widthOf } from './width.ts';

/**
 * `subject`: undefined for the list of rules. Throws UsageError if the subject is neither a rule nor a kind nor a
 * member.
 */
export async function explain(subject: string | undefined, flags: KindsFlags, io: Io): Promise<number> {
  const config = await loadConfig(flags.config, io);
  const set = await loadSchemasFor(flags, config, io);
  await warnOfSuspects(set, { strict: false }, io);
  const data = explanationOf(subject, set);
  const output = new Output(io.stdout, 'standard output');
  output.write(
    flags.format === 'json' ? `${jsonText(data)}\n` : explanationText(data, widthOf(io.stdout, io.env)),
  );
  await output.close();
  return 0;
}
