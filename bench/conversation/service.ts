// The service under test: scripted model and voice, and a recogniser: a scripted one with the times of typical engines,
// the same behind the interface of a vendor, or the built-in one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Call } from '../../api/dashboard/app/api-types.ts';
import { parseTarget } from '../../engine/test-runs/caller/sip.ts';
import { withService } from '../rig/conversation/scenario.ts';
import { SCRIPT_FOLDER, ScriptFolder } from '../rig/conversation/script.ts';
import { MarkedWords, ScriptedWords } from '../rig/fakes/marked-words.ts';
import { SpeechServer } from '../rig/fakes/speech-server.ts';
import { Rest } from '../rig/service/rest.ts';
import { OutboundLine } from './outbound.ts';
import type { Stage } from './play.ts';

export const ENGINES = ['typical', 'built-in', 'openai', 'deepgram'] as const;
export type Engines = (typeof ENGINES)[number];

const GREETING = 'Hair studio, how can I help you?';
const TRANSFER_NUMBER = '+12025550199';

const fake = (name: string): string => `module:${fileURLToPath(new URL(`../rig/fakes/${name}.ts`, import.meta.url))}`;

const STT_MS = 150;
/** From the frame that tells a recogniser a word to the word; absent where no words come while they are spoken. */
export const WORD_DELAY_MS: Partial<Record<Engines, number>> = { typical: STT_MS, deepgram: STT_MS };

/**
 * First token after 250 ms and 30 tokens/s; STT final 150 ms and first audio 100 ms, or the built-in recogniser's own
 * times.
 */
const MODELS = { LLM: fake('scripted-llm'), TTS: fake('scripted-tts') };

async function withRecogniser<T>(
  engines: Engines,
  folder: ScriptFolder,
  run: (environment: Record<string, string>, asked?: () => number) => Promise<T>,
): Promise<T> {
  switch (engines) {
    case 'typical':
      return run({ STT: fake('scripted-stt'), FAKE_STT_FINAL_MS: String(STT_MS), FAKE_TTS_FIRST_AUDIO_MS: '100' });
    case 'built-in':
      return run({});
    case 'openai':
    case 'deepgram': {
      const words = new ScriptedWords(folder.path);
      const server = await new SpeechServer({ delayMs: STT_MS, ear: () => new MarkedWords(words) }).start();
      const base = engines === 'openai' ? `${server.origin}/v1` : server.origin;
      try {
        const keys = { STT_BASE_URL: base, STT_API_KEY: 'bench' };
        const asked = (): number => server.requests.filter(({ path }) => path.endsWith('/audio/transcriptions')).length;
        return await run({ STT: engines, ...keys, FAKE_TTS_FIRST_AUDIO_MS: '100' }, asked);
      } finally {
        await server.stop();
      }
    }
  }
}

export interface ScriptedService extends Stage {
  client: Rest;
  /** Requests to a recogniser of whole sentences so far; absent for others. */
  asked?: () => number;
}

export async function withScriptedService<T>(
  engines: Engines,
  run: (scripted: ScriptedService) => Promise<T>,
): Promise<T> {
  const folder = new ScriptFolder(mkdtempSync(join(tmpdir(), 'scenarios-')));
  try {
    return await withRecogniser(engines, folder, (recogniser, asked) =>
      withService({ ...MODELS, ...recogniser, [SCRIPT_FOLDER]: folder.path }, async (service) => {
        const client = await new Rest(service).login();
        await prepareBusiness(client);
        const outbound = await OutboundLine.open(client);
        try {
          const target = parseTarget(`sip:demo@${service.sipAddress}`);
          return await run({ client, outbound, target, folder, greeting: GREETING, ...(asked && { asked }) });
        } finally {
          await outbound.close();
        }
      }),
    );
  } finally {
    rmSync(folder.path, { recursive: true, force: true });
  }
}

async function prepareBusiness(client: Rest): Promise<void> {
  const [business] = await client.must('GET', '/businesses');
  await client.must('PATCH', `/businesses/${business?.id}`, {
    greetingTemplate: GREETING,
    transferNumber: TRANSFER_NUMBER,
  });
}

/** All agents of the demo speak this language from the next call on. */
export async function speakLanguage({ client }: ScriptedService, language: string): Promise<void> {
  for (const agent of await client.must('GET', '/agents'))
    await client.must('PATCH', `/agents/${agent.id}`, { language });
}

const ROWS = 100;
const END_WRITTEN_MS = 5_000;

/** The text that the agent understood in each call, one a turn, by the person's number. */
export async function callerTurns(scripted: ScriptedService): Promise<Map<string, string[]>> {
  const deadlineMs = performance.now() + END_WRITTEN_MS;
  for (;;) {
    const rows = await allCalls(scripted);
    if (rows.every(({ endedAt }) => endedAt !== null) || performance.now() > deadlineMs) {
      // Of a caller who called again, the last call counts: the newest is the first row.
      return new Map(
        rows
          .toReversed()
          .map((row) => [row.direction === 'inbound' ? row.fromNumber : row.toNumber, turnsIn(row.transcript)]),
      );
    }
    await pause(200);
  }
}

async function allCalls({ client }: ScriptedService): Promise<Call[]> {
  const calls: Call[] = [];
  for (let page = 1; ; page++) {
    const rows = await client.must('GET', `/calls?page=${page}&limit=${ROWS}`);
    calls.push(...rows);
    if (rows.length < ROWS) return calls;
  }
}

function turnsIn(transcript: Call['transcript']): string[] {
  return transcript.filter(({ speaker }) => speaker === 'caller').map(({ text }) => text);
}
