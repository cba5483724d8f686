// A shard as a recogniser's worker sees it: sends requests over a port and waits for replies.
import type { MessagePort } from 'node:worker_threads';
import type { SttReply, SttRequest } from '../../../models/stt/stt.ts';

export function sttClient(port: MessagePort) {
  const replies: SttReply[] = [];
  const waiting: Array<{ matches: (reply: SttReply) => boolean; resolve: (reply: SttReply) => void }> = [];
  port.on('message', (reply: SttReply) => {
    replies.push(reply);
    for (const wait of [...waiting]) if (wait.matches(reply)) wait.resolve(reply);
  });
  return {
    replies,
    send: (request: SttRequest) => port.postMessage(request),
    next: (matches: (reply: SttReply) => boolean) =>
      new Promise<SttReply>((resolve) => {
        const known = replies.find(matches);
        if (known) resolve(known);
        else waiting.push({ matches, resolve });
      }),
    /** The result of the call's utterance. @throws Error where there is none: nobody would wait for ever */
    async final(callId: string): Promise<Extract<SttReply, { type: 'final' }>> {
      const isEnd = (reply: SttReply): boolean =>
        (reply.type === 'final' || reply.type === 'failed') && reply.callId === callId;
      const reply = await this.next(isEnd);
      if (reply.type !== 'final') throw new Error(`call ${callId}: ${JSON.stringify(reply)}`);
      return reply;
    },
  };
}
