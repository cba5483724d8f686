// Cuts the peer's texts into the service's own clauses, so that both begin with the same words.
import { ClauseSplitter } from '../../engine/dialogue/clause-splitter.ts';
import { endsWith, speechWords } from '../../engine/turn/spoken.ts';
import { EN } from '../../engine/turn/words/en.ts';
import { SCRIPT_FOLDER, type ScriptFolder } from '../rig/conversation/script.ts';
import createVoice from '../rig/fakes/scripted-tts.ts';

export const VOICE = { voiceId: 'flite-rms', speed: 1, sampleRateHz: 8_000 } as const;

export class SpokenClauses {
  readonly #splitter = new ClauseSplitter();
  #hasSpoken = false;

  push(text: string): string[] {
    const clauses = this.#splitter.push(text);
    if (clauses.length === 0 && !this.#hasSpoken) {
      const words = this.#splitter.firstWords((each) => !endsWith(speechWords(each), EN.openEndings));
      if (words !== null) clauses.push(words);
    }
    this.#hasSpoken ||= clauses.length > 0;
    return clauses;
  }

  end(): string[] {
    return this.#splitter.end();
  }
}

/** Renders the speech of these texts into the folder: rendering during a call would block its thread. */
export async function renderAhead(folder: ScriptFolder, texts: Iterable<string>): Promise<void> {
  const voice = await createVoice({ [SCRIPT_FOLDER]: folder.path });
  const { signal } = new AbortController();
  const onAudio = (): void => undefined;
  for (const clause of new Set([...texts].flatMap(bothCuts))) {
    if (folder.readSpeech(clause) === null) await voice.speak({ text: clause, ...VOICE }, { signal, onAudio });
  }
  await voice.close();
}

/** The clauses of a text that arrives word by word, and of the whole text. */
function bothCuts(text: string): string[] {
  return [text.split(/(?<= )/), [text]].flatMap((pieces) => {
    const clauses = new SpokenClauses();
    return [...pieces.flatMap((piece) => clauses.push(piece)), ...clauses.end()];
  });
}
