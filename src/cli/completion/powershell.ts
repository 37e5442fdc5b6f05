/**
 * The completion for PowerShell, on every system. Where it proposes nothing, PowerShell proposes files.
 */
import { type FlagRow, flagsOf, TOP_FLAGS, type VerbRow } from './rows.ts';

export function powershellCompletion(verbs: readonly VerbRow[]): string {
  return `# paylint completion powershell
Register-ArgumentCompleter -Native -CommandName paylint -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $verbs = [ordered]@{
${verbs.map(({ name, description }) => `    ${quoted(name)} = ${quoted(description)}`).join('\n')}
  }
  $flags = @{
    '' = [ordered]@{
${TOP_FLAGS.flatMap(flagLines).join('\n')}
    }
${verbs.map((verb) => `    ${quoted(verb.name)} = [ordered]@{\n${flagsOf(verb).flatMap(flagLines).join('\n')}\n    }`).join('\n')}
  }
  $values = @{
${verbs.flatMap(valueLines).join('\n')}
  }
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '') { $words = @($words | Select-Object -SkipLast 1) }
  $verb = if ($words.Count -gt 1) { $words[1] } else { '' }
  $start = ''
  if ($wordToComplete -match '^(--[\\w-]+=)') {
    $start = $Matches[1]
    $found = $values["$verb $($start.TrimEnd('='))"]
  } elseif ($values.ContainsKey("$verb $($words[-1])")) {
    $found = $values["$verb $($words[-1])"]
  } elseif ($wordToComplete -like '-*') {
    $found = $flags[$verb]
  } elseif ($verb -eq '') {
    $found = $verbs
  } else {
    $found = $values[$verb]
  }
  if ($null -eq $found) { return }
  $names = if ($found -is [array]) { $found } else { $found.Keys }
  $names | Where-Object { "$start$_".StartsWith($wordToComplete) } | ForEach-Object {
    $text = if ($found -is [array]) { $_ } else { $found[$_] }
    [System.Management.Automation.CompletionResult]::new("$start$_", $_, 'ParameterValue', $text)
  }
}
`;
}

function flagLines({ long, short, description }: FlagRow): string[] {
  return [long, ...(short === null ? [] : [short])].map((name) => `      ${quoted(name)} = ${quoted(description)}`);
}

/** The words that values may be: by verb and flag, and by verb for its argument. */
function valueLines(verb: VerbRow): string[] {
  const rows = [
    { key: verb.name, values: verb.arguments },
    ...flagsOf(verb).map(({ long, values }) => ({ key: `${verb.name} ${long}`, values })),
  ];
  return rows.flatMap(({ key, values }) =>
    typeof values === 'string' ? [] : [`    ${quoted(key)} = @(${values.map(quoted).join(', ')})`],
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
