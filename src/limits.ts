/**
 * The limits that a user can meet. Each has a comment of one form, `what it limits (unit). What happens beyond it.`, from which
 * `node scripts/limits.js` writes docs/reference/limits.md. Messages take their numbers from here; other numbers stay where used.
 */

// Payloads

/** the size, without `--max-payload-bytes` (bytes). `payload-too-large`. */
export const PAYLOAD_BYTES = 64 << 20;
/** what `--max-payload-bytes` may give (bytes). "expected at most 511M (511 MiB)". */
export const LARGEST_PAYLOAD_BYTES = 511 << 20; // the longest string of V8 has 0x1fffffe8 code units
/** white space after a payload, besides its size (bytes). `payload-too-large`. */
export const SPACE_BYTES = 64 << 20;
/** objects and arrays in one another, without `--max-depth` (levels). `nested-too-deep`. */
export const PAYLOAD_LEVELS = 1000;
/** the same, whatever `--max-depth` is, if the schema refers to itself or has `uniqueItems` (levels). `nested-too-deep`. */
export const JUDGED_LEVELS = 2048; // the stack of a thread has room for as many
/** applying subschemas to values (steps). "its schema takes too many steps". */
export const SCHEMA_STEPS = 2_000_000;
/** in addition, for each byte (steps). the same. */
export const SCHEMA_STEPS_OF_A_BYTE = 200;
/** an examination in the main thread, by schemas that can take long (ms). another thread examines the payload. */
export const EXAMINED_MS = 1000; // reports are completed within two seconds after a signal
/** the beginning of a source, for its [framing](terms.md#framing) (bytes). the rest does not matter. */
export const FRAMING_BYTES = 64 << 10;
/** white space around payloads, for `filter` (bytes). it drops the rest. */
export const KEPT_SPACE_BYTES = 64 << 20;
/** passes of `fill` (passes). "each default that is filled in makes another one missing, without end". */
export const FILL_PASSES = 100;

// Violations

/** violations of a payload (violations). counted: "at most 100,000 violations of a payload are listed". */
export const LISTED_VIOLATIONS = 100_000;
/** violations of a payload with a `suggestion` (violations). no suggestion. */
export const SUGGESTING_VIOLATIONS = 10_000; // the search takes far longer than the rest
/** different violations of a source with a code frame (violations). no frame. */
export const CODE_FRAMES = 10_000;
/** text of the payload in a message (characters). cut. */
export const SHOWN_CHARACTERS = 80;
/** a pointer, in reports for people (characters). cut in the middle. */
export const SHOWN_POINTER = 200; // the name of a member may be megabytes long
/** a name that is compared with similar ones (characters). no suggestion. */
export const COMPARED_NAME = 64; // the comparison takes quadratic time
/** [alternatives](terms.md#alternative) compared to find the closest one (alternatives). not compared. */
export const COMPARED_ALTERNATIVES = 64;
/** its violations, for the comparison (violations). not counted. */
export const MEASURED_VIOLATIONS = 100;
/** violations of the closest alternative (violations). not counted. */
export const COUNTED_VIOLATIONS = 1000;
/** violations of it below one violation (violations). counted: "and 3 more". */
export const LISTED_CHILDREN = 10;
/** these violations, on all levels (violations). counted. */
export const EXPLAINED_VIOLATIONS = 30;
/** alternatives in alternatives, below one violation (levels). not listed. */
export const EXPLAINED_LEVELS = 8;

// Schemas, configs and files of checks

/** each of these files (bytes). "is larger than 16 MiB". */
export const AUTHORED_BYTES = 16 << 20;
/** a file of a custom format (bytes). "is larger than 64 MiB". */
export const FORMAT_FILE_BYTES = 64 << 20;
/** subschemas, in all files (subschemas). "there are more than 100000 subschemas". */
export const SUBSCHEMAS = 100_000; // more take seconds and gigabytes
/** subschemas in one another (levels). "subschemas are nested deeper than 250 levels". */
export const SUBSCHEMA_LEVELS = 250; // recursive functions read them
/** references in a row, for one value (references). "more than 500 references follow one another". */
export const REFERENCES_IN_A_ROW = 500;
/** subschemas, with what dynamic references lead to (subschemas). "dynamic references lead to more than 200,000 subschemas". */
export const EXPANDED_SUBSCHEMAS = 200_000; // more take seconds and gigabytes
/** faults of a schema (faults). counted: "and 3 more". */
export const LISTED_FAULTS = 100;
/** warnings about a schema (warnings). counted: "and 3 more". */
export const LISTED_WARNINGS = 10;
/** members of a kind, for `explain` (members). not listed. */
export const DESCRIBED_MEMBERS = 10_000;
/** members in one another, for `explain` (levels). not listed. */
export const DESCRIBED_LEVELS = 12;
/** a program of Git, for schemas of a revision (ms). it is stopped, and the run fails. */
export const GIT_MS = 30_000; // it hangs, for example on a network drive

// Checks

/** parts of an expression (parts). refused. */
export const EXPRESSION_PARTS = 1000;
/** parts in one another (levels). refused. */
export const EXPRESSION_LEVELS = 50;
/** repetitions in an expression for `matches` (repetitions). "RE2 repeats at most 1000 times". */
export const RE2_REPETITIONS = 1000;
/** evaluating a check for a payload (steps). "takes too many steps". */
export const CHECK_STEPS = 100_000;
/** in addition, for each byte of the payload (steps). the same. */
export const CHECK_STEPS_OF_A_BYTE = 10;
/** different values for `unique` and `references` in memory, in 900 MB (values). a temporary file has the others. */
export const VALUES_IN_MEMORY = 20_000_000;
/** their violations, after a signal (violations). counted. */
export const LISTED_AFTER_SIGNAL = 50_000; // reports must be complete soon

// Reports

/** files with a fixable violation, to count what `fill` adds (bytes). the summary does not say it. */
export const FILLABLE_BYTES = 64 << 20;
/** violations in `pretty`, without `--max-violations` (violations). counted. */
export const PRETTY_VIOLATIONS = 50;
/** violations in `sarif` (violations). counted. */
export const SARIF_VIOLATIONS = 25_000; // GitHub takes as many
/** invalid payloads of a file in `junit` (invalid payloads). counted. */
export const JUNIT_PAYLOADS = 10_000;
/** violations of a payload in `junit` (violations). counted. */
export const JUNIT_VIOLATIONS = 100;
/** violations in `html` (violations). counted. */
export const HTML_VIOLATIONS = 100_000; // a browser sorts and searches as many at once
/** all these violations (characters). counted. */
export const HTML_CHARACTERS = 96 << 20; // a browser can hold as many, however long the texts of payloads are
/** files with violations in `html` (files with violations). not listed. */
export const HTML_SOURCES = 20_000;
/** failures in `html` and `sarif` (failures). counted. */
export const LISTED_FAILURES = 1000;
/** rows for rules, and for violations, in the step summary of `github` (rows). counted. */
export const STEP_ROWS = 50;
/** groups in `--stats` (groups). counted. */
export const SHOWN_GROUPS = 50;
/** groups of `--stats` and `compare` in memory (groups). violations of further groups are counted. */
export const GROUPS_IN_MEMORY = 10_000; // payloads can have any number of pointers
/** pointers of changes, for `fill` and `prune` (pointers). counted. */
export const LISTED_POINTERS = 100;
/** a [baseline](terms.md#baseline), a coverage document, a list for `--files-from` (bytes). "is larger than 256 MiB". */
export const READ_BYTES = 256 << 20;
/** a line that `render` reads (bytes). "it has a line that is too long for a report of paylint". */
export const REPORT_LINE_BYTES = 256 << 20; // messages are short, but a pointer can be as long as a payload
/** objects and arrays in one another there (levels). "this line has more than 1000 levels of objects and arrays". */
export const REPORT_LEVELS = 1000; // paylint writes few, and code that reads many may run out of stack

// Comparing and covering

/** a payload, for `coverage` (bytes). it is not counted to its end. */
export const COVERED_BYTES = 64 << 20; // its value may need more of the heap than there is
/** Ajv with a payload (ms). "Ajv takes too long for it". */
export const AJV_PAYLOAD_MS = 3000;
/** Ajv compiling the schemas (ms). "Ajv takes too long to compile this schema". */
export const AJV_SCHEMAS_MS = 30_000;

// Threads, editors and the playground

/** threads, one per core, without `--threads` (threads). no more are started. */
export const THREADS = 8; // each takes memory, and other processes run, too
/** address space for each thread, under `ulimit -v` (bytes). fewer threads. */
export const THREAD_ADDRESSES = 12 * 2 ** 30; // 10 GiB for a WebAssembly memory, the rest for V8's heap and code
/** a document in an editor (bytes). "this text is longer than 16 MiB and is not checked here". */
export const DOCUMENT_BYTES = 16 << 20;
/** violations of a document in an editor (violations). counted: "3 more violations are not shown". */
export const DOCUMENT_VIOLATIONS = 1000;
/** a text or a file in the playground (bytes). you cannot edit it. */
export const EDITED_BYTES = 1 << 20;
/** violations in the playground (violations). counted. */
export const PLAYGROUND_VIOLATIONS = 1000;
/** a check in the playground (ms). it is ended. */
export const PLAYGROUND_MS = 5000;
