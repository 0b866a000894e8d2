import { Injectable } from '@nestjs/common'
import type { Id, SegmentGenerator } from 'mintid'
import { InjectGenerator } from 'mintid/nest'
import { JournalService } from './journal.service.js'

export interface Order {
  id: Id<'orders'>
  item: string
}

@Injectable()
export class OrdersService {
  readonly #orders = new Map<Id<'orders'>, Order>()

  constructor(
    @InjectGenerator('orders') private readonly ids: SegmentGenerator<'orders'>,
    private readonly journal: JournalService,
  ) {}

  async create(item: string): Promise<Order> {
    const order = { id: await this.ids.next({ timeoutMs: 1000 }), item }
    await this.journal.write(`order ${order.id}`)
    this.#orders.set(order.id, order)
    return order
  }

  find(id: Id<'orders'>): Order | undefined {
    return this.#orders.get(id)
  }
}
