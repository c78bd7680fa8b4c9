// Which deliveries of a webhook are shown, as the address has it.
import { oneOf } from '../../../ui/address.js';
import { defined } from '../../../ui/defined.js';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface DeliveriesAddress {
  status?: DeliveryStatus;
  /** The id of the open delivery. */
  delivery?: string;
}

type Parts = { [Key in keyof DeliveriesAddress]: DeliveriesAddress[Key] | undefined };

/** Leaves out what is empty. */
export const addressOf = ({ status, delivery }: Parts): DeliveriesAddress =>
  defined({ status, delivery: delivery || undefined });

/** Ignores what it does not know: addresses are typed and shared. */
export function readDeliveriesAddress(search: Record<string, unknown>): DeliveriesAddress {
  const { delivery } = search;
  return addressOf({
    status: oneOf(deliveryStatuses, search['status']),
    delivery: typeof delivery === 'string' ? delivery : undefined,
  });
}
