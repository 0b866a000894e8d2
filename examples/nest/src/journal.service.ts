import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnModuleDestroy,
} from '@nestjs/common'
import type { SnowflakeGenerator } from 'mintid'
import { InjectGenerator } from 'mintid/nest'

/** What happened, under ids that hold the time. Also at the end: ids are there until the last hook. */
@Injectable()
export class JournalService implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #logger = new Logger('Journal')

  constructor(
    @InjectGenerator('journal') private readonly entries: SnowflakeGenerator<'journal'>,
  ) {}

  async write(what: string, timeoutMs = 1000): Promise<void> {
    this.#logger.log(`${await this.entries.next({ timeoutMs })} ${what}`)
  }

  async onModuleDestroy(): Promise<void> {
    await this.writeLast('closing')
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.writeLast('answering what is under way')
  }

  /** An entry that cannot be written is no reason to stay. */
  private async writeLast(what: string): Promise<void> {
    const complain = (error: Error) => this.#logger.warn(`${what}: ${error.message}`)
    await this.write(what, 300).catch(complain)
  }
}
