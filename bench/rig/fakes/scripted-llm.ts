// A dialogue model that follows the call's script: it answers the caller's n-th turn with the n-th reply, after
// FAKE_LLM_FIRST_TOKEN_MS (250) and at 30 tokens/s. It notes every request.
import { setTimeout as pause } from 'node:timers/promises';
import { type DialogueModel, type DialogueRequest, LlmError } from '../../../models/llm/llm.ts';
import { type CallScript, PROMPT, SCRIPT_FOLDER, ScriptFolder, withSerial } from '../conversation/script.ts';

const TOKEN_MS = 1_000 / 30;

/** The caller's words and keys so far, one text a turn; marked as for a model where they were not understood. */
function turnsOf({ messages }: DialogueRequest): string[] {
  return messages.flatMap((message) => {
    if (message.role === 'caller') return [message.understood ? message.text : `[unclear] ${message.text}`];
    return message.role === 'note' && message.note.kind === 'digits' ? [message.text] : [];
  });
}

export default async function createModel(environment: Record<string, string | undefined>): Promise<DialogueModel> {
  const folder = new ScriptFolder(environment[SCRIPT_FOLDER] ?? '');
  const standardMs = Number(environment.FAKE_LLM_FIRST_TOKEN_MS ?? 250);
  const refused = new Map<string, number>();

  const refuse = (number: string, script: CallScript | null): void => {
    const count = refused.get(number) ?? 0;
    if (count >= (script?.refusals ?? 0)) return;
    refused.set(number, count + 1);
    throw new LlmError('LLM_UNAVAILABLE', 'the model server answered 429', { details: { status: 429 } });
  };

  return {
    name: 'scripted',
    complete: null,
    async *reply(request, signal) {
      const number = request.callerNumber ?? '';
      const script = folder.readCall(number);
      const turns = turnsOf(request);
      folder.noteRequest({ atMs: Date.now(), number, turns });
      yield { type: 'request', byFallback: false };
      await pause(script?.firstTokenMs ?? standardMs);
      refuse(number, script);
      const last = request.messages.at(-1);
      const replies = script?.replies ?? [];
      const reply = replies[Math.min(turns.length, replies.length) - 1];
      const isPrompt = last?.role === 'note' && last.note.kind === 'silent';
      const isAfter = last?.role === 'tool-result';
      const text = isPrompt || reply === undefined ? PROMPT : isAfter ? (reply.after ?? reply.say) : reply.say;
      for (const word of withSerial(text, script?.serial ?? 0).split(/(?<= )/)) {
        if (signal.aborted) return;
        yield { type: 'text', text: word };
        await pause(TOKEN_MS);
      }
      if (reply?.call && !isPrompt && !isAfter)
        yield { type: 'tool-call', id: `call-${turns.length}`, name: reply.call, arguments: {} };
    },
  };
}
