// A recogniser whose first utterance never returns from `write`: its thread is stuck for ever.
import type { PolledSttEngine } from '../../../../models/stt/stt.ts';

export default async function createStuckStt(): Promise<PolledSttEngine> {
  return {
    name: 'stuck',
    freeText: true,
    open: async () => ({
      begin: () => undefined,
      write: () => {
        for (;;);
      },
      partial: () => '',
      finish: async () => ({ text: '', confidence: 0, understood: false }),
      cancel: () => undefined,
      close: () => undefined,
    }),
    close: async () => undefined,
  };
}
