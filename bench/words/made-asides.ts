// Sounds that are no turn, made rather than recorded: encouragements spelled out by the built-in voices, hums, coughs.
// The corpora of people at hand have none of them. Said over the greeting, none should stop the agent.

import { makeSound } from '../../engine/test-runs/caller/sounds.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { joinSamples } from '../../media/frame.ts';
import { type SpokenWord, wordFrom } from './spoken-words.ts';

const VOICES = ['flite-slt', 'flite-awb', 'flite-kal16', 'flite-rms'];
const ENCOURAGEMENTS = ['Umhum.', 'Uh-huh.', 'Okay.', 'I see.'];
const SOUNDS = [
  { sound: 'hum', ms: 500 },
  { sound: 'cough', ms: 400 },
] as const;
const SEEDS = [1, 2, 3, 4];
/** Before and after each, as in the recordings of people. */
const EDGE_SAMPLES = 2_000;

export async function makeAsides(): Promise<SpokenWord[]> {
  const edge = new Int16Array(EDGE_SAMPLES);
  const aside = (file: string, text: string, samples: Int16Array): SpokenWord =>
    wordFrom(file, text, joinSamples([edge, samples, edge]));
  const made: SpokenWord[] = [];
  for (const said of ENCOURAGEMENTS)
    for (const voice of VOICES) made.push(aside(`${voice}: ${said}`, said, await renderSpeech(said, voice)));
  for (const { sound, ms } of SOUNDS)
    for (const seed of SEEDS) made.push(aside(`${sound} ${seed}`, sound, await makeSound(sound, ms, seed)));
  return made;
}
