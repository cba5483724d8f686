// Who said an entry of a transcript, in a word for those who read it: models, and people.

/** What was said on the person's line only, the caller did not hear. */
export const speakerLabel = ({ speaker, line }: { speaker: string; line?: 'person' | undefined }): string =>
  line === 'person' && speaker === 'agent' ? 'agent to the person' : speaker;
