"""A basket of a shop."""


def add(item, basket=[]):
    """Puts an item into the basket and returns it; a new basket if none is given."""
    basket.append(item)
    return basket
