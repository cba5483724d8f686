// The thread that makes MP3s: one recording after the other, at nice 19, so that no call's audio waits for it.
import { encodeMp3 } from '../../media/mp3.ts';
import { lowerThreadPriority } from '../../models/priority.ts';

lowerThreadPriority();

export interface Mp3Task {
  wavPath: string;
  mp3Path: string;
}

export default async function encode({ wavPath, mp3Path }: Mp3Task): Promise<boolean> {
  return encodeMp3(wavPath, mp3Path);
}
