// Listens to a running call and writes it to call.wav, caller left and agent right. Node 22 or newer, no library:
//   BASE=… TOKEN=… node listen.mjs CALL_ID
import { writeFileSync } from 'node:fs';

const [callId] = process.argv.slice(2);
const { BASE, TOKEN } = process.env;
const answer = await fetch(`${BASE}/api/v1/calls/${callId}/listen`, {
  method: 'POST',
  headers: { authorization: `Bearer ${TOKEN}` },
});
const { data, error } = await answer.json();
if (!answer.ok) throw new Error(error);

const heard = [];
const socket = new WebSocket(data.socketUrl);
socket.binaryType = 'arraybuffer';
socket.onmessage = ({ data: message }) => {
  if (typeof message !== 'string') return heard.push(Buffer.from(message));
  const { type, speaker, text } = JSON.parse(message);
  if (type === 'transcript') console.log(`${speaker}: ${text}`);
};
socket.onclose = ({ code }) => {
  const pcm = Buffer.concat(heard);
  writeFileSync('call.wav', Buffer.concat([header(pcm.length), pcm]));
  console.log(`closed with ${code}: call.wav has ${(pcm.length / 64_000).toFixed(1)} s`);
};

/** RIFF/WAVE: PCM, 16 bits, stereo, 16 kHz. */
function header(bytes) {
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(16_000, 24);
  head.writeUInt32LE(64_000, 28);
  head.writeUInt16LE(4, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return head;
}
