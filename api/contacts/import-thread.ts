// Checks and writes the contacts of large requests, one request after the other, on a connection of its own.
import { openDatabase } from '../../db/database.ts';
import { answerRequests } from '../threads/database-thread.ts';
import { type ContactImport, type ImportOutcome, importContacts } from './merge.ts';

answerRequests<ContactImport, ImportOutcome>((database) => {
  const db = openDatabase(database);
  return (contacts) => importContacts(db, contacts);
});
