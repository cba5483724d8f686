// The service under test: scripted model and voice, and either a scripted recogniser with the times of typical engines or the
// built-in one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withService } from '../scenario.ts';
import type { Service } from '../service.ts';
import type { Stage } from './play.ts';
import { SCRIPT_FOLDER, ScriptFolder } from './script.ts';

export const ENGINES = ['typical', 'built-in'] as const;
export type Engines = (typeof ENGINES)[number];

const GREETING = 'Hair studio, how can I help you?';
const TRANSFER_NUMBER = '+12025550199';

const fake = (name: string): string => `module:${fileURLToPath(new URL(`../fakes/${name}.ts`, import.meta.url))}`;

/** First token after 250 ms and 30 tokens/s; STT final 150 ms and first audio 100 ms, or what the built-in engines need. */
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
  service: Service;
  token: string;
}

export async function withScriptedService<T>(
  engines: Engines,
  run: (scripted: ScriptedService) => Promise<T>,
): Promise<T> {
  const folder = new ScriptFolder(mkdtempSync(join(tmpdir(), 'scenarios-')));
  try {
    return await withService({ ...ENVIRONMENT[engines], [SCRIPT_FOLDER]: folder.path }, async (service) => {
      const token = await service.login();
      await prepareBusiness(service, token);
      return run({ service, token, sipAddress: service.sipAddress, folder, greeting: GREETING });
    });
  } finally {
    rmSync(folder.path, { recursive: true, force: true });
  }
}

/** @throws Error with the answer when it is no success */
export async function request<T>(
  { apiUrl }: Service,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${apiUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: T; error?: string };
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.error}`);
  return answer.data;
}

async function prepareBusiness(service: Service, token: string): Promise<void> {
  const [business] = await request<Array<{ id: string }>>(service, token, 'GET', '/businesses');
  await request(service, token, 'PATCH', `/businesses/${business?.id}`, {
    greetingTemplate: GREETING,
    transferNumber: TRANSFER_NUMBER,
  });
}

interface CallRow {
  fromNumber: string;
  endedAt: string | null;
  transcript: Array<{ speaker: 'agent' | 'caller'; text: string }>;
}

const ROWS = 100;
const END_WRITTEN_MS = 5_000;

/** What the agent understood in each call, a text a turn, by the caller's number. */
export async function callerTurns(scripted: ScriptedService): Promise<Map<string, string[]>> {
  const deadlineMs = performance.now() + END_WRITTEN_MS;
  for (;;) {
    const rows = await allCalls(scripted);
    if (rows.every(({ endedAt }) => endedAt !== null) || performance.now() > deadlineMs) {
      return new Map(rows.map(({ fromNumber, transcript }) => [fromNumber, turnsIn(transcript)]));
    }
    await pause(200);
  }
}

async function allCalls({ service, token }: ScriptedService): Promise<CallRow[]> {
  const calls: CallRow[] = [];
  for (let page = 1; ; page++) {
    const rows = await request<CallRow[]>(service, token, 'GET', `/calls?page=${page}&limit=${ROWS}`);
    calls.push(...rows);
    if (rows.length < ROWS) return calls;
  }
}

function turnsIn(transcript: CallRow['transcript']): string[] {
  return transcript.filter(({ speaker }) => speaker === 'caller').map(({ text }) => text);
}
