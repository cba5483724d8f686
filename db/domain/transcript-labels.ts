// Names the speaker of a transcript's entry in a word for its readers: models, and people.

/** Words on the person's line only are labelled so: the caller did not hear them. */
export const speakerLabel = ({ speaker, line }: { speaker: string; line?: 'person' | undefined }): string =>
  line === 'person' && speaker === 'agent' ? 'agent to the person' : speaker;
