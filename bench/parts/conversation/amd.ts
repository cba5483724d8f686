// Answering-machine detection over a generated, labelled set: the confusion matrix, a person's wait after the greeting,
// and the start of a message after a beep. Offline, with the shards' own detector, VAD and recogniser.
import type { AmdVerdict } from '../../../models/amd/amd.ts';
import { AMD_PHRASES } from '../../../models/amd/hints.ts';
import { SoundswallowerStt } from '../../../models/stt/soundswallower/soundswallower.ts';
import { Silero } from '../../../models/vad/silero.ts';
import { type Answer, answers } from '../../amd/amd-set.ts';
import { type Detected, detect } from '../../amd/amd-shard.ts';
import { type Report, rowOf, table } from '../../rig/measure/statistics.ts';
import { part } from '../../rig/part.ts';

const USAGE = `usage: npm run bench -- amd [--every N] [--only KIND]
  every Nth recording of the set (default 1: all), of one kind only`;

const VERDICTS: AmdVerdict[] = ['human', 'machine-beep', 'machine', 'screening', 'uncertain'];

interface Judged extends Answer {
  detected: Detected;
  first: AmdVerdict;
  last: AmdVerdict;
}

export default part(USAGE, { every: 1, only: null }, async ({ every, only }) => {
  const vocabulary = {
    language: 'en-US',
    businessName: 'Acme',
    services: [],
    questions: [],
    phrases: [...AMD_PHRASES],
  };
  const silero = await Silero.load();
  const stt = await SoundswallowerStt.create(1);
  const judged: Judged[] = [];
  for (const { audio, ...answer } of await answers(every)) {
    if (only !== null && answer.kind !== only) continue;
    const detected = await detect(audio, { silero, stt }, vocabulary);
    const first = detected.verdicts[0]?.verdict ?? 'uncertain';
    const last = detected.verdicts.at(-1)?.verdict ?? 'uncertain';
    judged.push({ ...answer, audio, detected, first, last });
    const waitMs = (detected.verdicts[0]?.atMs ?? 0) - (answer.greetingEndMs ?? 0);
    if (last === answer.label && (last !== 'human' || waitMs <= 300)) continue;
    const told = detected.verdicts.map(({ verdict, atMs }) => `${verdict} at ${atMs}`).join(', ');
    process.stdout.write(
      `${answer.name}: ${told}; greeting ends at ${answer.greetingEndMs}; heard "${detected.heard}"\n`,
    );
  }
  await stt.close();
  await silero.release();
  return reportOf(judged);
});

function reportOf(judged: readonly Judged[]): Report {
  const people = judged.filter(({ label }) => label === 'human');
  const waits = people.flatMap(({ detected, greetingEndMs }) => {
    const first = detected.verdicts[0];
    return first?.verdict === 'human' && greetingEndMs !== null ? [first.atMs - greetingEndMs] : [];
  });
  const machines = judged.filter(({ label }) => label === 'machine-beep' || label === 'machine');
  const known = machines.flatMap(({ detected }) => {
    const verdict = detected.verdicts.find((one) => one.verdict === 'machine' || one.verdict === 'machine-beep');
    return verdict ? [verdict.atMs] : [];
  });
  const beeps = judged.flatMap(({ beepStartMs, beepEndMs, detected }) => {
    const verdict = detected.verdicts.find((one) => one.verdict === 'machine-beep');
    if (beepStartMs === null || beepEndMs === null || !verdict) return [];
    return [{ sinceStart: verdict.atMs - beepStartMs, sinceEnd: (detected.messageAtMs ?? verdict.atMs) - beepEndMs }];
  });
  const menus = judged.flatMap(({ label, detected }) => {
    const verdict = detected.verdicts.find((one) => one.verdict === 'screening');
    return label === 'screening' && verdict ? [verdict.atMs] : [];
  });
  const samples = {
    'human, after the greeting': waits,
    'message, after the beep': beeps.map(({ sinceEnd }) => sinceEnd),
  };
  const rows = [
    rowOf('human verdict, after the greeting', waits, 'max <= 300'),
    rowOf(
      'beep verdict, after its start',
      beeps.map(({ sinceStart }) => sinceStart),
    ),
    rowOf('message may start, after the beep', samples['message, after the beep']),
    rowOf('machine verdict, after the answer', known),
    rowOf('screening verdict, after the answer', menus),
  ];
  return { title: 'Answering-machine detection', rows, samples, ...findings(judged) };
}

function findings(judged: readonly Judged[]): { lines: string[]; data: Record<string, unknown> } {
  const share = (some: number, all: number): string => `${some} of ${all} (${((100 * some) / all).toFixed(1)} %)`;
  const kinds = [...new Set(judged.map(({ kind }) => kind))];
  const confusion = kinds.map((kind) => {
    const all = judged.filter((one) => one.kind === kind);
    const right = all.filter(({ label, last }) => label === last).length;
    const counts = VERDICTS.map((verdict) => all.filter(({ last }) => last === verdict).length);
    return { kind, label: all[0]?.label, count: all.length, right, counts };
  });
  const levels = [...new Set(judged.map(({ noise }) => noise))].map((noise) => {
    const all = judged.filter((one) => one.noise === noise);
    return { noise, right: all.filter(({ label, last }) => label === last).length, count: all.length };
  });
  const right = judged.filter(({ label, last }) => label === last).length;
  const people = judged.filter(({ label }) => label === 'human');
  const isMachine = (verdict: AmdVerdict): boolean => verdict === 'machine' || verdict === 'machine-beep';
  const falseMachines = people.filter(({ detected }) => detected.verdicts.some(({ verdict }) => isMachine(verdict)));
  const atOnce = people.filter(({ first }) => first === 'human').length;
  const early = people.filter(({ detected, greetingEndMs }) => {
    return (detected.verdicts[0]?.atMs ?? 0) < (greetingEndMs ?? 0);
  }).length;
  const lines = [
    `Right in the end: ${share(right, judged.length)}; ${levels
      .map((level) => `${level.noise} ${share(level.right, level.count)}`)
      .join(', ')}.`,
    `People taken for a machine at any time: ${share(falseMachines.length, people.length)}; known as people at once: ${share(atOnce, people.length)}; in a pause before their greeting had ended: ${share(early, people.length)}.`,
    '',
    ...table(
      ['answered by', 'n', 'right', ...VERDICTS],
      confusion.map(({ kind, count, right: hits, counts }) => [kind, count, hits, ...counts]),
    ),
  ];
  return {
    lines,
    data: { right, count: judged.length, falseMachines: falseMachines.length, early, levels, confusion },
  };
}
