// The MP3 encoding thread: one recording at a time, at nice 19, so that it never delays a call's audio.
import { encodeMp3 } from '../../media/mp3.ts';
import { lowerThreadPriority } from '../../models/workers/priority.ts';

lowerThreadPriority();

export interface Mp3Task {
  wavPath: string;
  mp3Path: string;
}

export default async function encode({ wavPath, mp3Path }: Mp3Task): Promise<boolean> {
  return encodeMp3(wavPath, mp3Path);
}
