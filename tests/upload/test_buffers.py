"""Memory for parts is lent, and there is only so much of it."""

import asyncio

from services.upload.buffers import Buffers


def test_who_finds_no_buffer_waits_for_one() -> None:
    async def scenario() -> list[str]:
        buffers, seen, release = Buffers(1, 8), list[str](), asyncio.Event()

        async def borrow(name: str) -> None:
            async with buffers.lend(name) as buffer:
                seen.append(f"{name} has {len(buffer)}")
                await release.wait()

        tasks = [asyncio.create_task(borrow(name)) for name in ("ada", "bob")]
        await asyncio.sleep(0)
        seen.append("released")
        release.set()
        await asyncio.gather(*tasks)
        return seen

    assert asyncio.run(scenario()) == ["ada has 8", "released", "bob has 8"]


def test_a_buffer_comes_back_after_an_error() -> None:
    async def scenario() -> None:
        buffers = Buffers(1, 8)
        for _ in range(3):
            try:
                async with buffers.lend("ada"):
                    raise ValueError
            except ValueError:
                continue

    asyncio.run(asyncio.wait_for(scenario(), 1))


def test_one_who_holds_on_leaves_half_of_the_buffers_to_others() -> None:
    async def scenario() -> list[str]:
        buffers, having, release = Buffers(4, 8), list[str](), asyncio.Event()

        async def borrow(name: str) -> None:
            async with buffers.lend(name):
                having.append(name)
                await release.wait()

        tasks = [asyncio.create_task(borrow(name)) for name in ("ada", "ada", "ada", "ada", "bob", "bob")]
        await asyncio.sleep(0)
        at_once = list(having)
        release.set()
        await asyncio.gather(*tasks)
        assert sorted(having) == ["ada"] * 4 + ["bob"] * 2
        return at_once

    assert asyncio.run(scenario()) == ["ada", "ada", "bob", "bob"]
