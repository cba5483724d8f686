// `npm run bench -- peers`: compares this service with the strongest open pipeline of the same kind, @livekit/agents
// with Silero: the same callers, scenarios and fakes in one run. docs/peers.md lists the compared figures.
import { writeFileSync } from 'node:fs';
import type { Score } from '../../conversation/score.ts';
import { rampAll } from '../../peers/capacity.ts';
import { compareConversations } from '../../peers/conversations.ts';
import { requirePeers } from '../../peers/packages.ts';
import { conversationTables, figureTable } from '../../peers/tables.ts';
import { type Compared, compareBargeIns, compareGaps } from '../../peers/turns.ts';
import { report } from '../../rig/measure/statistics.ts';
import { part, refuseOption } from '../../rig/part.ts';

const USAGE = `usage: npm run bench -- peers [--part turns|barge-in|conversation] [--rounds N] [--turns N] [--takes N] [--calls N]
                                  [--scenario NAME,…] [--timelines FILE]
       npm run bench -- peers --capacity [--ours N,…] [--theirs N,…]
  one part, else all: N rounds (default 4) of calls of N turns (default 8); N takes of each scenario (default 2), N calls at a
  time (default 4); FILE gets the events of each take. With --capacity: calls at a time until answers take 25 % longer
  needs: npm --prefix bench/peers install`;

const PARTS = ['turns', 'barge-in', 'conversation'];

const DEFAULTS = {
  part: null,
  rounds: 4,
  turns: 8,
  takes: 2,
  calls: 4,
  scenario: null,
  timelines: null,
  capacity: false,
  ours: [1, 25, 50, 75, 100, 125, 150, 175],
  theirs: [1, 10, 20, 30, 40, 50, 60, 75],
} as const;

export default part(USAGE, DEFAULTS, async (options) => {
  if (options.part !== null && !PARTS.includes(options.part)) refuseOption(`there is no part "${options.part}"`);
  requirePeers();
  if (options.capacity) {
    await rampAll(options);
    return undefined;
  }
  const isWanted = (part: string): boolean => options.part === null || options.part === part;
  if (isWanted('turns')) reportFigures('turns', await compareGaps(options));
  if (isWanted('barge-in')) reportFigures('barge-in', await compareBargeIns(options));
  if (isWanted('conversation')) {
    const names = options.scenario?.split(',') ?? null;
    const conversations = await compareConversations({ names, takes: options.takes, calls: options.calls });
    if (options.timelines !== null) writeFileSync(options.timelines, timelines(conversations));
    const lines = conversationTables(conversations);
    const data = { conversations: Object.fromEntries(conversations) };
    report('peers-conversation', { title: 'Conversations beside a peer', lines, data });
  }
  return undefined;
});

function reportFigures(part: string, { figures, notes }: Compared): void {
  const lines = [...figureTable(figures), ...notes.flatMap((note) => ['', note])];
  report(`peers-${part}`, { title: `${part} beside a peer`, lines, data: { figures } });
}

function timelines(conversations: ReadonlyMap<string, readonly Score[]>): string {
  const all = [...conversations].flatMap(([column, scores]) =>
    scores.map(({ timeline }) => [`# ${column}`, ...timeline, '']),
  );
  return all.flat().join('\n');
}
