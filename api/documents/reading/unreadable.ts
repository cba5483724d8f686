/** A document that cannot be read; the message goes on after "The document cannot be read:". */
export class Unreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unreadable';
  }
}
