// The peer's requests inside a dialog, from its first moment on. They may come in one packet with the answer, or while
// our media still takes it; drachtio-srf would answer those by itself, an offer with the SDP of before. So they wait
// here for the leg.
import type { DialogMade, DrachtioDialog, DrachtioRequest, DrachtioResponse } from '../signalling/drachtio.ts';

interface PeerRequestListener {
  acknowledged(ack: DrachtioRequest): void;
  /** re-INVITE or UPDATE. */
  offered(request: DrachtioRequest, response: DrachtioResponse): void;
  info(request: DrachtioRequest, response: DrachtioResponse): void;
  notified(request: DrachtioRequest, response: DrachtioResponse): void;
  referred(request: DrachtioRequest, response: DrachtioResponse): void;
  /** BYE, answered already. */
  ended(bye: DrachtioRequest): void;
}

/** A peer sends a few requests at most before the leg is there. */
const MAX_WAITING = 64;

export class PeerRequests {
  readonly #waiting: Array<(listener: PeerRequestListener) => void> = [];
  #listener: PeerRequestListener | null = null;

  /** Must be made in the callback that tells of the dialog. */
  constructor(dialog: DrachtioDialog) {
    const answerable = (take: 'offered' | 'info' | 'notified' | 'referred') => {
      return (request: DrachtioRequest, response: DrachtioResponse): void => {
        if (!this.#pass((listener) => listener[take](request, response))) response.send(500);
      };
    };
    dialog.on('modify', answerable('offered'));
    dialog.on('update', answerable('offered'));
    dialog.on('info', answerable('info'));
    dialog.on('notify', answerable('notified'));
    dialog.on('refer', answerable('referred'));
    dialog.on('ack', (ack) => this.#pass((listener) => listener.acknowledged(ack)));
    dialog.on('destroy', (bye) => this.#pass((listener) => listener.ended(bye)));
  }

  /** Requests that have waited follow in the next microtask. */
  listen(listener: PeerRequestListener): void {
    queueMicrotask(() => {
      this.#listener = listener;
      for (const pass of this.#waiting.splice(0)) pass(listener);
    });
  }

  /** False if too many wait. */
  #pass(pass: (listener: PeerRequestListener) => void): boolean {
    if (this.#listener !== null) pass(this.#listener);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(pass);
    else return false;
    return true;
  }
}

/** A dialog whose requests wait from its first moment on. */
export interface OpenDialog {
  dialog: DrachtioDialog;
  requests: PeerRequests;
}

/** Resolves with the dialog that `make` begins. */
export function openDialog(make: (done: DialogMade) => void): Promise<OpenDialog> {
  return new Promise((resolve, reject) => {
    make((error, dialog) => {
      if (dialog === undefined) reject(error);
      else resolve({ dialog, requests: new PeerRequests(dialog) });
    });
  });
}
