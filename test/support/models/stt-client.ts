// A shard as a recogniser's worker sees it: sends requests over a port and waits for replies.
import type { MessagePort } from 'node:worker_threads';
import type { SttReply, SttRequest } from '../../../models/stt/stt.ts';
import { repliesOn } from './replies.ts';

export function sttClient(port: MessagePort) {
  const { all: replies, next } = repliesOn<SttReply>(port);
  return {
    replies,
    next,
    send: (request: SttRequest) => port.postMessage(request),
    /** The result of the call's utterance. @throws Error where there is none: nobody would wait for ever */
    async final(callId: string): Promise<Extract<SttReply, { type: 'final' }>> {
      const isEnd = (reply: SttReply): boolean =>
        (reply.type === 'final' || reply.type === 'failed') && reply.callId === callId;
      const reply = await next(isEnd);
      if (reply.type !== 'final') throw new Error(`call ${callId}: ${JSON.stringify(reply)}`);
      return reply;
    },
  };
}
