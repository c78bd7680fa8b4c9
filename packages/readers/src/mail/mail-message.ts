/** A message, whatever the format of its file. */
export interface MailMessage {
  subject: string | null;
  /** Names with addresses, as they are shown. */
  from: string | null;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  /** As the message writes it. */
  date: string | null;
  /** ISO 8601, or null when the date cannot be read. */
  sentAt: string | null;
  messageId: string | null;
  /** The message id of the message that this one answers. */
  inReplyTo: string | null;
  text: string | null;
  html: string | null;
  /** Rich Text Format, one character for each byte. */
  rtf: string | null;
  attachments: readonly MailAttachment[];
}

export interface MailAttachment {
  filename: string;
  /** As the message claims it. */
  contentType: string;
  /** A message that the file holds without making it a file of its own. */
  content: Uint8Array | MailMessage;
}

/** `Ada Lovelace <ada@example.com>`, or the only part of it. */
export function mailbox(name: string, address: string): string {
  if (name === '' || name === address) return address;
  return address === '' ? name : `${name} <${address}>`;
}
