// The remedies where the microphone cannot be had, in words.
import { t, words } from '../words/words.ts';
import type { MicrophoneFault, MicrophoneReason } from './microphone.ts';

const REMEDIES: Readonly<Record<MicrophoneReason, string>> = {
  insecure: words(
    'Browsers give the microphone to secure pages only. Open this page with https://, or as http://localhost on the machine itself.',
  ),
  refused: words('The microphone was refused. Allow it for this page in the browser’s address bar, then try again.'),
  none: words('No microphone was found. Connect one, then try again.'),
  'in-use': words('The microphone is in use by another program. Close that program, then try again.'),
  failed: words('The microphone could not be opened. Check it in the settings of the browser and the system.'),
};

export const remedyOf = ({ message, reason }: MicrophoneFault): string =>
  message === '' ? t(REMEDIES[reason]) : message;
