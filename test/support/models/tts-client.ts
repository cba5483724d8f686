// A media shard, as a thread of voices sees it: it asks over a port, and gets audio by the number of its request.
import type { MessagePort } from 'node:worker_threads';
import type { TtsReply, TtsRequest } from '../../../models/tts/tts.ts';
import { repliesOn } from './replies.ts';

export function ttsClient(port: MessagePort) {
  const replies = repliesOn<TtsReply>(port);
  return {
    replies: replies.all,
    send: (request: TtsRequest) => port.postMessage(request),
    over: (id: number) =>
      replies.next((reply) => (reply.type === 'failed' || (reply.type === 'audio' && reply.last)) && reply.id === id),
    samplesOf: (id: number) =>
      replies.all.reduce(
        (sum, reply) => sum + (reply.type === 'audio' && reply.id === id ? reply.samples.length : 0),
        0,
      ),
  };
}

export const speak = (id: number, text: string): TtsRequest => ({
  type: 'speak',
  id,
  text,
  voiceId: 'flite-kal16',
  speed: 1,
  sampleRateHz: 8_000,
});
