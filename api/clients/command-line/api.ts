// The command for all that has no command: one request of the REST API, with the sign-in of the others.
import { readFile } from 'node:fs/promises';
import { Transport } from '../typescript/transport.ts';
import type { Command, Surroundings } from './command.ts';
import { Failure } from './failure.ts';
import { signedIn } from './profiles.ts';

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** In JSON they mean the same as their escapes, which move no cursor and turn no line round. */
const UNSEEN = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export const api: Command = {
  name: 'api',
  about: 'Sends a request to the REST API, and prints its answer as it is: for what has no command of its own.',
  args: [
    { name: 'METHOD', about: METHODS.join(', ') },
    { name: 'PATH', about: "below /api/v1, with its query: /agents, '/calls?limit=5'" },
  ],
  options: {
    data: { value: 'JSON', about: 'the body; @FILE reads it from a file, - from the standard input' },
    key: { value: 'UUID', about: 'an Idempotency-Key: what is asked twice with it is done once' },
  },
  examples: [
    "voicectl api GET '/agents?limit=100' | jq -r '.data[].name'",
    'voicectl api POST /agents --data \'{"name": "Kim", "voiceId": "flite-slt"}\'',
    'voicectl api PATCH /businesses/biz_01h… --data @business.json',
    'voicectl api GET /calls/call_01h…/audio > call.mp3',
  ],
  async run({ args, options, surroundings }) {
    const method = (args.METHOD ?? '').toUpperCase();
    if (!METHODS.includes(method)) throw new Failure(`METHOD is one of ${METHODS.join(', ')}, and not ${args.METHOD}`);
    const path = (args.PATH ?? '').replace(/^\/?api\/v1(?=\/)/, '');
    if (!path.startsWith('/')) throw new Failure(`PATH begins with /, as in /agents, and not ${args.PATH}`);
    const body = options.data === undefined ? undefined : await bodyOf(options.data, surroundings);
    const { url, token } = signedIn(options, surroundings.env);
    const transport = new Transport({ url, token, fetch: surroundings.fetch, pause: surroundings.pause });
    const outgoing = { method, path, ...(body === undefined ? {} : { body }) };
    const answer = await transport.send(outgoing, { idempotencyKey: options.key }, async (response) => ({
      isJson: /\bjson\b/.test(response.headers.get('content-type') ?? ''),
      bytes: new Uint8Array(await response.arrayBuffer()),
    }));
    await surroundings.write(answer.isJson ? indented(answer.bytes) : answer.bytes);
    return undefined;
  },
};

async function bodyOf(data: string, surroundings: Surroundings): Promise<string> {
  const text = data === '-' ? await surroundings.read() : data.startsWith('@') ? await contentOf(data.slice(1)) : data;
  try {
    JSON.parse(text);
  } catch (fault) {
    throw new Failure(`The body is no JSON: ${(fault as Error).message}`);
  }
  return text;
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (fault) {
    throw new Failure(`${file} cannot be read (${(fault as NodeJS.ErrnoException).code})`);
  }
}

function indented(bytes: Uint8Array): Uint8Array {
  const json = JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 2);
  const seen = json.replace(UNSEEN, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return new TextEncoder().encode(`${seen}\n`);
}
