import { readFile } from 'node:fs/promises';
import type { Engine } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { encryptedFile } from '@kiln/pdf/extraction-error';
import { readCompoundFile, type Storage } from './compound-file.js';
import { unpackRtf } from './compressed-rtf.js';
import { encapsulatedHtml } from './encapsulated-html.js';
import { mailOutput } from './mail-markdown.js';
import { mailbox, type MailAttachment, type MailMessage } from './mail-message.js';
import { MsgStorage } from './msg-storage.js';

const outlookType = 'application/vnd.ms-outlook';
/** The data of an attachment, or the storage of an attached message. */
const attachedMessage = '__SUBSTG1.0_3701000D';
/** Messages within messages are opened to this depth. */
const depthMax = 8;

/** A message that Outlook saved as a file ([MS-OXMSG]). */
export const extractMsg: Engine = async (input, signal) => {
  const root = storageOf(readCompoundFile(await readFile(input.path)), 'root', null);
  const isMessage = ['001A', '0037', '1000', '0C1A'].some((property) => root.text(property) !== null);
  if (!isMessage) throw corruptFile('msg', input.filename);
  const message = messageOf(root, 0);
  if (root.text('001A') === 'IPM.Note.SMIME' && message.text === null && message.html === null && message.rtf === null)
    throw encryptedFile(input.filename);
  return mailOutput(message, input, signal);
};

function storageOf(folder: Storage, kind: 'root' | 'embedded' | 'other', charset: string | null): MsgStorage {
  const storages = new Map<string, () => MsgStorage>();
  const storage = new MsgStorage(folder.streams, storages, kind, charset);
  for (const [name, inner] of folder.storages)
    storages.set(name, () => storageOf(inner, name === attachedMessage ? 'embedded' : 'other', storage.charset));
  return storage;
}

function messageOf(message: MsgStorage, depth: number): MailMessage {
  const recipients = message.all('__recip_version1.0_');
  const ofType = (type: number): string[] =>
    recipients.filter((recipient) => (recipient.integer('0C15') ?? 1) === type).map(recipientOf);
  const sentAt = message.time('0039') ?? message.time('0E06');
  const packedRtf = message.binary('1009');
  const rtf = packedRtf === null ? null : unpackRtf(packedRtf);
  return {
    subject: message.text('0037'),
    from: senderOf(message),
    to: ofType(1),
    cc: ofType(2),
    bcc: ofType(3),
    date: sentAt,
    sentAt,
    messageId: message.text('1035'),
    inReplyTo: message.text('1042'),
    text: message.text('1000'),
    html: message.encodedText('1013') ?? message.text('1013') ?? (rtf === null ? null : encapsulatedHtml(rtf)),
    rtf,
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
