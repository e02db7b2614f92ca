"""Tables on a GPU. They need ``rookery-cards[gpu]``, and an NVIDIA GPU or its simulator."""
