// `npm run caller -- conformance SIP-ADDRESS`: dials somebody's agent for each case and prints what it did.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { localAddress, parseTarget } from '../../engine/test-runs/caller/sip.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { type Bench, type Case, failed, type Verdict } from './case.ts';
import { DIALOG_CASES } from './cases-dialog.ts';
import { SETUP_CASES } from './cases-setup.ts';

const USAGE = `usage: npm run caller -- conformance SIP-ADDRESS [options]
  SIP-ADDRESS          e.g. sip:demo@127.0.0.1:5060
  --cases A,B          only these
  --at-a-time N        so many calls at once (default 4)
  --tls-port N         tries SIP over TLS there, and SRTP over it
  --question TEXT      a question that the agent answers (default "What are your opening hours?")
  --goodbye TEXT       words upon which it hangs up
  --transfer TEXT      words upon which it puts the caller through with REFER
  --json FILE          writes the verdicts there, too
  --list               names the cases
  exit code: 0 if no case failed, 1 if one did, 2 if the command is not understood`;

export const CASES: readonly Case[] = [...SETUP_CASES, ...DIALOG_CASES];
/** Another voice than an agent's usual one. */
const VOICE = 'flite-slt';

interface CaseResult extends Verdict {
  name: string;
}

/** Each case, some at a time; `onResult` is told as each one ends. */
export async function runCases(
  bench: Bench,
  cases: readonly Case[],
  atATime: number,
  onResult: (result: CaseResult) => void = () => {},
): Promise<CaseResult[]> {
  const results = new Map<string, CaseResult>();
  const waiting = [...cases];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { name } = next;
      const verdict = await next.run(bench).catch((error: unknown) => failed(`broke off: ${error}`));
      const result = { name, ...verdict };
      results.set(name, result);
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return cases.flatMap(({ name }) => results.get(name) ?? []);
}

/** @throws Error describing what is wrong with the address */
export async function openBench(
  address: string,
  words: { question?: string; goodbye?: string; transfer?: string; tlsPort?: number },
): Promise<Bench> {
  const target = parseTarget(address);
  const spoken = async (text: string | undefined): Promise<Int16Array | null> =>
    text === undefined ? null : renderSpeech(text, VOICE);
  return {
    target,
    tlsPort: words.tlsPort ?? null,
    localHost: localAddress(target.host),
    question: await renderSpeech(words.question ?? 'What are your opening hours?', VOICE),
    goodbye: await spoken(words.goodbye),
    transfer: await spoken(words.transfer),
  };
}

const lineOf = ({ name, verdict, words }: CaseResult): string => `${name.padEnd(20)} ${verdict.padEnd(12)} ${words}`;

function summaryOf(results: readonly CaseResult[]): string {
  const count = (verdict: Verdict['verdict']): number => results.filter((each) => each.verdict === verdict).length;
  const counts = [`${count('passed')} passed`, `${count('failed')} failed`];
  for (const rest of ['unsupported', 'inconclusive'] as const)
    if (count(rest) > 0) counts.push(`${count(rest)} ${rest}`);
  return `${counts.join(', ')}, of ${results.length}`;
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      cases: { type: 'string' },
      'at-a-time': { type: 'string', default: '4' },
      'tls-port': { type: 'string' },
      question: { type: 'string' },
      goodbye: { type: 'string' },
      transfer: { type: 'string' },
      json: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const natural = (name: 'at-a-time' | 'tls-port'): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`--${name}: "${text}" is no number above 0`);
    return Number(text);
  };
  const names = values.cases?.split(',').map((name) => name.trim());
  const unknown = names?.find((name) => !CASES.some((each) => each.name === name));
  if (unknown !== undefined) throw new Error(`--cases: there is no case "${unknown}"; --list names them`);
  return { values, positionals, names, atATime: natural('at-a-time') ?? 4, tlsPort: natural('tls-port') };
}

/** @returns the exit code */
export async function judgeConformance(args: string[]): Promise<number> {
  try {
    const { values, positionals, names, atATime, tlsPort } = readArguments(args);
    if (values.help || values.list) {
      const list = CASES.map(({ name, what, source }) => `${name.padEnd(20)} ${what} (${source})`);
      process.stdout.write(`${values.help ? USAGE : list.join('\n')}\n`);
      return 0;
    }
    const [address] = positionals;
    if (address === undefined) throw new Error('which SIP address is to be dialled?');
    const bench = await openBench(address, { ...values, ...(tlsPort === undefined ? {} : { tlsPort }) });
    const cases = CASES.filter(({ name }) => names?.includes(name) ?? true);
    const results = await runCases(bench, cases, atATime, (result) => process.stdout.write(`${lineOf(result)}\n`));
    process.stdout.write(`\n${summaryOf(results)}\n`);
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ address, results }, null, 2)}\n`);
    return results.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    return 2;
  }
}
