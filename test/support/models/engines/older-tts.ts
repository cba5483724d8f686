// A voice of the older interface: `synthesize`, asked between blocks whether to continue, for any voice of any agent.
export default async function createOlderTts() {
  return {
    name: 'older',
    voices: [],
    async synthesize(
      { text }: { text: string },
      onAudio: (samples: Int16Array) => void,
      isCancelled: () => boolean,
    ): Promise<void> {
      for (let n = 0; n < text.length && !isCancelled(); n++) onAudio(new Int16Array(80).fill(n + 1));
    },
    close: async () => {},
  };
}
