// Checks and writes the contacts of large requests, one request after the other, on a connection of its own.
import { openDatabase } from '../../db/sqlite.ts';
import { answerRequests } from '../database-thread.ts';
import { type ContactImport, type ImportOutcome, importContacts } from './merge.ts';

answerRequests<ContactImport, ImportOutcome>((databasePath) => {
  const db = openDatabase(databasePath);
  return (contacts) => importContacts(db, contacts);
});
