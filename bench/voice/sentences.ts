// Sentences of a set, and the recordings of them that a judge reads: ID.wav, 8 kHz, beside manifest.jsonl.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinSamples } from '../../media/frame.ts';
import { encodeWav } from '../../media/wav.ts';

export interface Sentence {
  id: string;
  category: string;
  text: string;
}

export const RATE_HZ = 8_000;
/** Silence around each recording. */
const EDGE_MS = 300;

export function sentencesOf(file: string): Sentence[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const {
      utterance_id: id,
      category,
      text,
    }: { utterance_id: string; category: string; text: string } = JSON.parse(line);
    return { id, category, text };
  });
}

/** The recordings of one voice, kept as they come. */
export class Recordings {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }

  keep({ id }: Sentence, samples: Int16Array): void {
    const edge = new Int16Array((RATE_HZ * EDGE_MS) / 1_000);
    const wav = encodeWav({ sampleRateHz: RATE_HZ, channels: 1 }, joinSamples([edge, samples, edge]));
    writeFileSync(join(this.folder, `${id}.wav`), wav);
  }

  /** Names what there is to judge. */
  list(sentences: readonly Sentence[]): void {
    const lines = sentences.map((each) => `${JSON.stringify(each)}\n`);
    writeFileSync(join(this.folder, 'manifest.jsonl'), lines.join(''));
  }
}
