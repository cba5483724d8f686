// A dialogue model with a fault that ends the process, on calls of one number.
import type { DialogueModel } from '../../../models/llm/llm.ts';

const NUMBER = '+15550190666';

export default async function createModel(): Promise<DialogueModel> {
  return {
    name: 'deadly',
    complete: null,
    async *reply(request) {
      if (request.callerNumber === NUMBER) {
        setImmediate(() => {
          throw new Error('a fault outside of every guard');
        });
      }
      yield { type: 'text', text: 'We are open from nine.' };
    },
  };
}
