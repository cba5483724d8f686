// A run as JUnit XML, for programs that show test results. Its elements have the order and the attributes of the schema
// of the Ant task (JUnit.xsd of Windy Road), which is the strictest of those that are in use.
import type { TestCheckResult } from '../../db/domain/tests/checks.ts';
import type { TestLine } from '../../db/domain/tests/definitions.ts';
import type { TestResultTable, TestRunTable, TestSuiteTable } from '../../db/schema/test-suites.ts';

type Run = Pick<
  TestRunTable,
  'id' | 'seed' | 'agentVersion' | 'businessVersion' | 'createdAt' | 'startedAt' | 'endedAt' | 'failed' | 'errors'
>;
type Result = Pick<TestResultTable, 'caseName' | 'kind' | 'status' | 'checks' | 'transcript' | 'error' | 'durationMs'>;

/** Control characters and numbers that are no characters: XML 1.0 cannot have them, however they are written. */
const IMPOSSIBLE = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;
const possible = (of: string): string => of.toWellFormed().replace(IMPOSSIBLE, '\ufffd');
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };

const text = (value: string): string =>
  possible(value).replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
/** A value between quotes, with its line breaks. */
const value = (of: string | number): string =>
  `"${possible(String(of)).replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character)}"`;
const seconds = (ms: number): string => (Math.max(0, ms) / 1_000).toFixed(3);

export function junitXml(suite: Pick<TestSuiteTable, 'name'>, run: Run, results: readonly Result[]): string {
  const properties: Array<[string, string | number | null]> = [
    ['run', run.id],
    ['seed', run.seed],
    ['agentVersion', run.agentVersion],
    ['businessVersion', run.businessVersion],
  ];
  const began = run.startedAt ?? run.createdAt;
  const took = (run.endedAt ?? began) - began;
  const open = results.filter(({ status }) => status === 'QUEUED' || status === 'RUNNING').length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name=${value(suite.name)} package="" id="0" timestamp=${value(new Date(began).toISOString().slice(0, 19))} ` +
      `hostname="localhost" tests=${value(results.length)} failures=${value(run.failed)} errors=${value(run.errors)} ` +
      `skipped=${value(open)} time=${value(seconds(took))}>`,
    '    <properties>',
    ...properties.flatMap(([name, of]) =>
      of === null ? [] : `      <property name=${value(name)} value=${value(of)}/>`,
    ),
    '    </properties>',
    ...results.flatMap((result) => testCase(suite.name, result)),
    '    <system-out></system-out>',
    '    <system-err></system-err>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(suiteName: string, result: Result): string[] {
  const { caseName, kind, status, durationMs } = result;
  const head = `    <testcase name=${value(caseName)} classname=${value(`${suiteName}.${kind}`)} time=${value(seconds(durationMs ?? 0))}`;
  if (status === 'PASSED') return [`${head}/>`];
  if (status === 'QUEUED' || status === 'RUNNING') return [`${head}>`, '      <skipped/>', '    </testcase>'];
  const [element, message, type] =
    status === 'ERROR' ? ['error', result.error ?? '', 'error'] : ['failure', failureMessage(result), 'check'];
  const body = text(`${checksText(result)}\n${linesText(JSON.parse(result.transcript) as TestLine[])}`);
  return [
    `${head}>`,
    `      <${element} message=${value(message)} type="${type}">${body}</${element}>`,
    '    </testcase>',
  ];
}

const failedOf = ({ checks }: Result): TestCheckResult[] =>
  (JSON.parse(checks) as TestCheckResult[]).filter(({ passed }) => !passed);

function failureMessage(result: Result): string {
  const failed = failedOf(result);
  const [first] = failed;
  const more = failed.length > 1 ? `, and ${failed.length - 1} more` : '';
  return first === undefined ? '' : `${first.expected}${more}`;
}

const checksText = (result: Result): string =>
  failedOf(result)
    .map(
      ({ turn, expected, found }) =>
        `${turn === null ? '' : `turn ${turn + 1}: `}expected: ${expected}\n  found: ${found}`,
    )
    .join('\n');

const linesText = (lines: readonly TestLine[]): string =>
  lines
    .map((line) =>
      line.role === 'tool' ? `tool: ${line.name}(${JSON.stringify(line.arguments)})` : `${line.role}: ${line.text}`,
    )
    .join('\n');
