/**
 * The meta-schemas of all drafts, as files of the package: a schema may refer to them like to any other.
 */
import { bundledSchema } from '../../package.ts';

const FILES =
  /^https?:\/\/json-schema\.org\/(?:(draft-0[467])\/schema|draft\/(2019-09|2020-12)\/(schema|meta\/[a-z-]+))$/;

/** Absolute path of the file with the meta-schema at `uri` (absolute, without fragment); null if it is none. */
export function metaSchemaAt(uri: string): string | null {
  const [, old, draft, name] = FILES.exec(uri) ?? [];
  if (old !== undefined) return bundledSchema(`meta/${old}.json`);
  return draft === undefined ? null : bundledSchema(`meta/${draft}/${name!.replace('meta/', '')}.json`);
}
