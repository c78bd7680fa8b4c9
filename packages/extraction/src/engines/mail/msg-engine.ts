import { readFile } from 'node:fs/promises';
import { read, type CFB$Container } from 'cfb';
import type { Engine } from '../engine.js';
import { corruptFile, encryptedFile } from '../engine-failure.js';
import { mailOutput } from './mail-markdown.js';
import { mailbox, type MailAttachment, type MailMessage } from './mail-message.js';
import { MsgStorage } from './msg-storage.js';

const outlookType = 'application/vnd.ms-outlook';
/** The data of an attachment, or the storage of a message that is attached. */
const attachedMessage = '__SUBSTG1.0_3701000D';
/** Messages within messages are opened so far. */
const depthMax = 8;

/** A message that Outlook saved as a file ([MS-OXMSG]). */
export const extractMsg: Engine = async (input, signal) => {
  const root = openRoot(await readFile(input.path));
  const isMessage = ['001A', '0037', '1000', '0C1A'].some((property) => root.text(property) !== null);
  if (!isMessage) throw corruptFile('msg', input.filename);
  const message = messageOf(root, 0);
  if (root.text('001A') === 'IPM.Note.SMIME' && message.text === null && message.html === null)
    throw encryptedFile(input.filename);
  return mailOutput(message, input, signal);
};

interface Folder {
  streams: Map<string, Uint8Array>;
  folders: Map<string, Folder>;
}

function openRoot(bytes: Buffer): MsgStorage {
  const root = tree(read(bytes, { type: 'buffer' }));
  return storageOf(root, 'root', null);
}

/** Paths end with a slash where they name a storage. */
function tree({ FullPaths, FileIndex }: CFB$Container): Folder {
  const root: Folder = { streams: new Map(), folders: new Map() };
  for (const [index, path] of FullPaths.entries()) {
    const names = path
      .split('/')
      .slice(1)
      .map((name) => name.toUpperCase());
    const last = names.pop() ?? '';
    let folder = root;
    for (const name of names) folder = folderIn(folder, name);
    const content = FileIndex[index]?.content;
    if (last !== '' && content !== undefined) folder.streams.set(last, Uint8Array.from(content));
  }
  return root;
}

function folderIn(folder: Folder, name: string): Folder {
  const known = folder.folders.get(name);
  if (known !== undefined) return known;
  const made: Folder = { streams: new Map(), folders: new Map() };
  folder.folders.set(name, made);
  return made;
}

function storageOf(folder: Folder, kind: 'root' | 'embedded' | 'other', charset: string | null): MsgStorage {
  const storages = new Map<string, () => MsgStorage>();
  const storage = new MsgStorage(folder.streams, storages, kind, charset);
  for (const [name, inner] of folder.folders)
    storages.set(name, () => storageOf(inner, name === attachedMessage ? 'embedded' : 'other', storage.charset));
  return storage;
}

function messageOf(message: MsgStorage, depth: number): MailMessage {
  const recipients = message.all('__recip_version1.0_');
  const ofType = (type: number): string[] =>
    recipients.filter((recipient) => (recipient.integer('0C15') ?? 1) === type).map(recipientOf);
  const sentAt = message.time('0039') ?? message.time('0E06');
  return {
    subject: message.text('0037'),
    from: senderOf(message),
    to: ofType(1),
    cc: ofType(2),
    bcc: ofType(3),
    date: sentAt,
    sentAt,
    messageId: message.text('1035'),
    text: message.text('1000'),
    html: message.encodedText('1013') ?? message.text('1013'),
    attachments: message
      .all('__attach_version1.0_')
      .flatMap((attachment, index) => attachmentOf(attachment, index, depth)),
  };
}

function senderOf(message: MsgStorage): string | null {
  const name = message.text('0C1A') ?? message.text('0042') ?? '';
  const address = message.text('5D01') ?? message.text('5D02') ?? internetAddress(message.text('0C1F') ?? '');
  const sender = mailbox(name, address);
  return sender === '' ? null : sender;
}

function recipientOf(recipient: MsgStorage): string {
  return mailbox(recipient.text('3001') ?? '', recipient.text('39FE') ?? internetAddress(recipient.text('3003') ?? ''));
}

/** Within an organization, addresses are paths of its directory. */
function internetAddress(address: string): string {
  return address.includes('@') ? address : '';
}

function attachmentOf(attachment: MsgStorage, index: number, depth: number): MailAttachment[] {
  const stated = attachment.text('3707') ?? attachment.text('3704') ?? attachment.text('3001') ?? '';
  const filename = stated.trim() === '' ? `file ${index + 1}` : stated.trim();
  const contentType = attachment.text('370E') ?? 'application/octet-stream';
  const embedded = attachment.storages.get(attachedMessage);
  if (embedded !== undefined)
    return depth >= depthMax ? [] : [{ filename, contentType: outlookType, content: messageOf(embedded(), depth + 1) }];
  const content = attachment.binary('3701');
  const isShown = contentType.startsWith('image/') && attachment.text('3712') !== null;
  return content === null || isShown ? [] : [{ filename, contentType, content }];
}
