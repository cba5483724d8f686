// The service under test: scripted model and voice, and either a scripted recogniser with the times of typical engines
// or the built-in one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseTarget } from '../rig/caller/sip.ts';
import type { ApiAnswer, ApiClient } from '../rig/outbound-setup.ts';
import { withService } from '../rig/scenario.ts';
import { SCRIPT_FOLDER, ScriptFolder } from '../rig/script.ts';
import type { Service } from '../rig/service.ts';
import { OutboundLine } from './outbound.ts';
import type { Stage } from './play.ts';

export const ENGINES = ['typical', 'built-in'] as const;
export type Engines = (typeof ENGINES)[number];

const GREETING = 'Hair studio, how can I help you?';
const TRANSFER_NUMBER = '+12025550199';

const fake = (name: string): string => `module:${fileURLToPath(new URL(`../rig/fakes/${name}.ts`, import.meta.url))}`;

/**
 * First token after 250 ms and 30 tokens/s; STT final 150 ms and first audio 100 ms, or the built-in engines' own
 * times.
 */
const ENVIRONMENT: Record<Engines, Record<string, string>> = {
  typical: {
    LLM: fake('scripted-llm'),
    STT: fake('scripted-stt'),
    TTS: fake('scripted-tts'),
    FAKE_STT_FINAL_MS: '150',
    FAKE_TTS_FIRST_AUDIO_MS: '100',
  },
  'built-in': { LLM: fake('scripted-llm'), TTS: fake('scripted-tts') },
};

export interface ScriptedService extends Stage {
  client: ApiClient;
}

export async function withScriptedService<T>(
  engines: Engines,
  run: (scripted: ScriptedService) => Promise<T>,
): Promise<T> {
  const folder = new ScriptFolder(mkdtempSync(join(tmpdir(), 'scenarios-')));
  try {
    return await withService({ ...ENVIRONMENT[engines], [SCRIPT_FOLDER]: folder.path }, async (service) => {
      const client = await clientOf(service);
      await prepareBusiness(client);
      const outbound = await OutboundLine.open(client);
      try {
        const target = parseTarget(`sip:demo@${service.sipAddress}`);
        return await run({ client, outbound, target, folder, greeting: GREETING });
      } finally {
        await outbound.close();
      }
    });
  } finally {
    rmSync(folder.path, { recursive: true, force: true });
  }
}

async function clientOf(service: Service): Promise<ApiClient> {
  let token = await service.login();
  const send = (method: string, path: string, body: unknown): Promise<Response> =>
    fetch(`${service.apiUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    async request<T>(method: string, path: string, body?: unknown): Promise<ApiAnswer<T>> {
      let response = await send(method, path, body);
      if (response.status === 401) {
        // A run may last longer than its session.
        token = await service.login();
        response = await send(method, path, body);
      }
      return { status: response.status, body: (await response.json()) as ApiAnswer<T>['body'] };
    },
  };
}

/** @throws Error with an unsuccessful answer */
async function must<T>(client: ApiClient, method: string, path: string, body?: unknown): Promise<T> {
  const { status, body: answer } = await client.request<T>(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${answer.error}`);
  return answer.data;
}

async function prepareBusiness(client: ApiClient): Promise<void> {
  const [business] = await must<Array<{ id: string }>>(client, 'GET', '/businesses');
  await must(client, 'PATCH', `/businesses/${business?.id}`, {
    greetingTemplate: GREETING,
    transferNumber: TRANSFER_NUMBER,
  });
}

interface CallRow {
  direction: 'inbound' | 'outbound';
  fromNumber: string;
  toNumber: string;
  endedAt: string | null;
  transcript: Array<{ speaker: 'agent' | 'caller'; text: string }>;
}

const ROWS = 100;
const END_WRITTEN_MS = 5_000;

/** The text that the agent understood in each call, one a turn, by the person's number. */
export async function callerTurns(scripted: ScriptedService): Promise<Map<string, string[]>> {
  const deadlineMs = performance.now() + END_WRITTEN_MS;
  for (;;) {
    const rows = await allCalls(scripted);
    if (rows.every(({ endedAt }) => endedAt !== null) || performance.now() > deadlineMs) {
      return new Map(
        rows.map((row) => [row.direction === 'inbound' ? row.fromNumber : row.toNumber, turnsIn(row.transcript)]),
      );
    }
    await pause(200);
  }
}

async function allCalls({ client }: ScriptedService): Promise<CallRow[]> {
  const calls: CallRow[] = [];
  for (let page = 1; ; page++) {
    const rows = await must<CallRow[]>(client, 'GET', `/calls?page=${page}&limit=${ROWS}`);
    calls.push(...rows);
    if (rows.length < ROWS) return calls;
  }
}

function turnsIn(transcript: CallRow['transcript']): string[] {
  return transcript.filter(({ speaker }) => speaker === 'caller').map(({ text }) => text);
}
