// Weights that an operator may download, with the checksum of each: a file that does not match never reaches an engine.
// Only entries whose SHA-256 is known are listed.

export interface Download {
  name: string;
  url: string;
  /** Name under DATA_DIR/models. */
  file: string;
  bytes: number;
  sha256: string;
  licence: string;
  description: string;
}

export const DOWNLOADS: readonly Download[] = [];
