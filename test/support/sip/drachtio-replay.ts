// A drachtio that replays a recording of the real one. The engine's messages are matched by their first line, in any
// order; each message of drachtio is sent after all of the engine's earlier messages in the recording have arrived.
// Recorded ids of the engine are replaced by its current ones.
import { createServer, type Socket } from 'node:net';
import { DrachtioFramer, type RecordedMessage } from './drachtio-recorder.ts';

/** `sip|…` by the method or status of its message, anything else by its words. */
function signatureOf(text: string): string {
  const [head = '', start = ''] = text.split('\n');
  const command = head.split('|').slice(1);
  return command[0] === 'sip'
    ? start.startsWith('SIP/2.0')
      ? start.slice(8, 11)
      : (start.split(' ')[0] ?? '')
    : command.join('|');
}

const OWN_IDS = [/^([0-9a-f-]{36})\|/, /^call-id: *(\S+)/im, /^from:.*;tag=([^;\s]+)/im, /drachtio-fsmrf:(\S+)/];

export async function replayDrachtio(
  recording: readonly RecordedMessage[],
  onInvite: (message: string) => void = () => {},
) {
  const waiting = recording.map((message) => ({ ...message, isDone: false }));
  const renamed = new Map<string, string>();
  const unexpected: string[] = [];
  let socket: Socket | null = null;
  let mayCall = false;

  const release = (): void => {
    for (const message of waiting) {
      if (message.isDone) continue;
      if (message.from === 'client' || (!mayCall && signatureOf(message.text) === 'INVITE')) return;
      message.isDone = true;
      let text = message.text;
      for (const [before, now] of renamed) text = text.replaceAll(before, now);
      // A message without a body ends with an empty line; a message with a body ends with the end of its last line.
      const payload = framed(text);
      socket?.write(`${Buffer.byteLength(payload)}#${payload}`);
    }
  };
  const receive = (text: string): void => {
    const signature = signatureOf(text);
    const match = waiting.find(
      (each) => each.from === 'client' && !each.isDone && signatureOf(each.text) === signature,
    );
    if (match === undefined) {
      if (signature !== 'ping') unexpected.push(signature);
      return;
    }
    match.isDone = true;
    for (const pattern of OWN_IDS) {
      const [before, now] = [pattern.exec(match.text)?.[1], pattern.exec(text)?.[1]];
      if (before !== undefined && now !== undefined) renamed.set(before, now);
    }
    if (signature === 'INVITE') onInvite(text);
    release();
  };
  const server = createServer((client) => {
    socket = client;
    const framer = new DrachtioFramer();
    client.on('error', () => {});
    client.on('data', (bytes) => {
      for (const payload of framer.push(bytes)) receive(payload.replaceAll('\r\n', '\n'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    /** Messages of the engine that are not in the recording. */
    unexpected,
    /** Messages of the recording that have not occurred. */
    missing: () => waiting.filter(({ isDone }) => !isDone).map(({ from, text }) => `${from}: ${signatureOf(text)}`),
    /** Starts the call of the recorded caller. */
    callIn(): void {
      mayCall = true;
      release();
    },
    /** Simulates the death of drachtio. */
    close(): void {
      socket?.destroy();
      server.close();
    },
  };
}

function framed(text: string): string {
  const [head = '', ...lines] = text.split('\n');
  if (lines.length === 0) return head;
  const hasBody = lines.includes('');
  return [head, ...lines, ...(hasBody ? [''] : ['', ''])].join('\r\n');
}
