/** A message, whatever the format of its file. */
export interface MailMessage {
  subject: string | null;
  /** Names with addresses, as they are shown. */
  from: string | null;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  /** The date as the message writes it. */
  date: string | null;
  /** ISO 8601. Null if the date cannot be read. */
  sentAt: string | null;
  messageId: string | null;
  /** The id of the message that this message answers. */
  inReplyTo: string | null;
  text: string | null;
  html: string | null;
  /** Rich Text Format, one character for each byte. */
  rtf: string | null;
  attachments: readonly MailAttachment[];
}

export interface MailAttachment {
  filename: string;
  /** The type that the message claims. */
  contentType: string;
  /** The content. A message within the file is already parsed. */
  content: Uint8Array | MailMessage;
}

/** `Ada Lovelace <ada@example.com>`, or only the name or the address if the other is missing. */
export function mailbox(name: string, address: string): string {
  if (name === '' || name === address) return address;
  return address === '' ? name : `${name} <${address}>`;
}
