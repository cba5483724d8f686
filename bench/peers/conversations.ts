// The scenarios of the conversation bench, played to all contenders at the same time by the same callers.
import { setTimeout as pause } from 'node:timers/promises';
import { type Stage, type Take, TakePlayer } from '../conversation/play.ts';
import { type Score, scoreTake } from '../conversation/score.ts';
import { callerTurns, type ScriptedService, withScriptedService } from '../conversation/service.ts';
import { readScenarios, type Scenario } from '../rig/conversation/scenario-file.ts';
import { PROMPT, SCRIPT_FOLDER } from '../rig/conversation/script.ts';
import { fakeUrl } from './contenders.ts';
import { Peer } from './peer.ts';
import { SETTING_NAMES, SETTINGS } from './settings.ts';
import { renderAhead } from './spoken-clauses.ts';

const APART_MS = 700;
const WARM_UP = 'slow-model';
const OURS = 'ours, as it comes';

/**
 * False for scenarios that only a telephone service supports: outbound calls, keys, transfers, reminders, bad lines.
 */
export function isForPeers({ direction, lossPercent, jitterMs, silenceMs, cues, replies }: Scenario): boolean {
  const isPlain = cues.every(({ action }) => action.kind === 'say' || action.kind === 'sound');
  const isGoodLine = lossPercent === 0 && jitterMs === 0;
  return (
    direction === 'inbound' && isGoodLine && silenceMs === 0 && isPlain && replies.every(({ call }) => call === null)
  );
}

interface ConversationOptions {
  /** Null: all scenarios for peers. */
  names: readonly string[] | null;
  takes: number;
  calls: number;
}

interface Column {
  name: string;
  stage: Stage;
  turnsOf(number: string): readonly string[];
}

/** The scores of each column. */
export async function compareConversations(options: ConversationOptions): Promise<Map<string, Score[]>> {
  const scenarios = readScenarios().filter(
    (each) => isForPeers(each) && (options.names === null || options.names.includes(each.name)),
  );
  return withScriptedService('typical', async (scripted) => {
    const script = [scripted.greeting, PROMPT, ...scenarios.flatMap(({ replies }) => replies.map(({ say }) => say))];
    await renderAhead(scripted.folder, script);
    const peers = await Promise.all(SETTINGS.map((setting) => startPeer(setting, scripted)));
    try {
      const columns: Column[] = [
        { name: OURS, stage: scripted, turnsOf: () => [] },
        ...peers.map(({ name, peer }) => ({
          name,
          stage: peerStage(scripted, peer),
          turnsOf: peer.turnsOf.bind(peer),
        })),
      ];
      const played = await playAll(scenarios, columns, options);
      const understood = await callerTurns(scripted);
      const requests = scripted.folder.requests();
      const speech = scripted.folder.speech();
      return new Map(
        columns.map(({ name, turnsOf }) => [
          name,
          (played.get(name) ?? []).map((take) =>
            scoreTake(take, {
              wordDelayMs: null,
              speech,
              script,
              greeting: scripted.greeting,
              heardTurns: name === OURS ? (understood.get(take.number) ?? []) : turnsOf(take.number),
              requests: requests.filter(({ number }) => number === take.number),
            }),
          ),
        ]),
      );
    } finally {
      await Promise.all(peers.map(({ peer }) => peer.stop()));
    }
  });
}

async function startPeer(
  setting: (typeof SETTINGS)[number],
  { folder, greeting }: ScriptedService,
): Promise<{ name: string; peer: Peer }> {
  const peer = await Peer.start(setting, greeting, {
    [SCRIPT_FOLDER]: folder.path,
    PEER_LLM: fakeUrl('scripted-llm'),
    PEER_TTS: fakeUrl('scripted-tts'),
    FAKE_STT_FINAL_MS: '150',
    FAKE_TTS_FIRST_AUDIO_MS: '100',
  });
  return { name: SETTING_NAMES[setting], peer };
}

function peerStage({ folder, greeting, target }: ScriptedService, peer: Peer): Stage {
  return { target, folder, greeting, outbound: null, dialog: peer.dialog.bind(peer) };
}

/** The takes of all columns with the same seed follow one another; `calls` of them run at a time. */
async function playAll(
  scenarios: readonly Scenario[],
  columns: readonly Column[],
  { takes, calls }: ConversationOptions,
): Promise<Map<string, Take[]>> {
  const played = new Map(columns.map(({ name }) => [name, [] as Take[]]));
  const plans = Array.from({ length: takes }, (_, seed) =>
    scenarios.flatMap((scenario) => columns.map((column) => ({ scenario, seed, column }))),
  ).flat();
  const waiting = plans.map(({ scenario, seed, column }, serial) => ({
    name: column.name,
    player: new TakePlayer(scenario, seed, serial, column.stage),
  }));
  for (const { player } of waiting) await player.prepare();
  await warmUp(columns, plans.length);
  let done = 0;
  const playSome = async (index: number): Promise<void> => {
    // Calls that begin together would measure a simultaneous start.
    await pause(index * APART_MS);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      played.get(next.name)?.push(await next.player.play());
      process.stderr.write(`\r${++done} of ${plans.length} takes `);
    }
  };
  await Promise.all(Array.from({ length: calls }, (_, index) => playSome(index)));
  process.stderr.write('\n');
  return played;
}

/** The first call of a process is its slowest. */
async function warmUp(columns: readonly Column[], serial: number): Promise<void> {
  const scenario = readScenarios().find(({ name }) => name === WARM_UP);
  if (scenario === undefined) return;
  const players = columns.map(({ stage }, index) => new TakePlayer(scenario, 0, serial + index, stage));
  for (const player of players) await player.prepare();
  await Promise.all(players.map((player) => player.play()));
}
